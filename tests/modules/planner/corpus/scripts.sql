
;
;;;
-- only a comment
/* only a comment */ ;
SELECT 1; SELECT 2
SELECT 1 ; -- trailing
 /* before */ SELECT 1 ; /* between */ SELECT 2 ; ;
BEGIN; INSERT INTO t VALUES (1); COMMIT;
SELECT ';'; SELECT $$;$$
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1; SELECT 2'; SELECT 3
SET DateStyle = 'ISO';SET extra_float_digits = 2;show transaction_isolation
SELECT 'é'; SELECT 'ü' AS x
