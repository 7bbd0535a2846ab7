-- golden_numeric.sql — questions about plugins/sql/numeric.
call ask_inputs('{numeric}', -1, array[
  '', ' ', '0', '1', '-1', '+1', ' 12', '12 ', E'\t7\n', '1 2', '1.0', '1.', '.5', '-.5', '+.5', '.', '-', '+', '--1', '+-1', '..5', '1..5', '1.5.', '1.5.5',
  '1e2', '1E+2', '1e-2', '1e', '1e+', 'e1', '1e 5', '1e +5', '1e5 ', '1e5x', '1e5.5', '0x10', '1_000', '007', '-0', '00', '-00.0', '0.000', '-0.000', '0000.1000', '000000012345678901234567890.0001',
  'abc', '1a', 'a1', '1,2', '$1', '½', 'NaN', 'nan', '-nan', '+NaN', 'nanx', 'NaN ', ' nan', 'Infinity', '-Infinity', '+infinity', 'inf', '-INF', '+inf', 'infin', 'infinityx', 'inf inity', '- inf',
  '1e10', '1e15', '1e16', '1e-4', '1e-5', '1e100', '123e-7', '0e500', '0e-5', '0e-16383', '0e-16384', '0e-20000', '0e131072', '1e1073741823', '1e1073741822', '1e-1073741823', '1e99999999999999999999', '0e99999999999999999999',
  '1e131072', '9e131072', '1e-16384', '1e-20000', '12345678901234567890.12345678901234567890', '-99999999999999999999999999999999.9999', '9999', '10000', '10001', '0.0001', '0.00001', '0.99999', '100000000', '0.00000001',
  '3.14159', '123456.789', '9223372036854775807', '9223372036854775808', '-170141183460469231731687303715884105728', '1234.5678e3', '1234.5678e-3', '0.1e1', '0.01e1']);
call ask_inputs('{numeric}', ((5 << 16) | 2) + 4, array['0', '1', '1.005', '1.004', '-1.005', '999.99', '999.994', '999.995', '1000', '-999.995', '-1000', '1e2', '1e3', '0.001', '0.005', '0.00499', 'NaN', 'Infinity', '-inf', 'x', '1e-500', '99999999999', '0e100', ' 7 ']);
call ask_inputs('{numeric}', ((3 << 16) | 3) + 4, array['0', '1', '0.999', '0.9994', '0.9995', '-0.9995', '0.0004', '0.0005', 'inf']);
call ask_inputs('{numeric}', ((4 << 16) | 0) + 4, array['0', '9999', '9999.4', '9999.5', '10000', '-9999.5', '0.5', '-0.5', '1.5', '2.5', 'NaN']);
call ask_inputs('{numeric}', ((3 << 16) | (-2 & 2047)) + 4, array['0', '49', '50', '149', '150', '99949', '99950', '-99950', '12345', '1e5', 'NaN', 'inf']);
call ask_inputs('{numeric}', ((3 << 16) | 6) + 4, array['0', '0.000999', '0.0009994', '0.0009995', '0.001', '-0.0000005', '0.00000049', '1', 'inf']);
call ask_inputs('{numeric}', ((38 << 16) | 10) + 4, array['12345678901234567890.12345678905', '9999999999999999999999999999.99999999995', '1e28', '-1e28', '1e27']);
select setseed(0.25) is null as x \gset
create table random_number as
  select id, case when random() < 0.3 then trunc(x) else x end as x from (
    select id, ((random() - 0.5) * power(10::float8, (random() * 14)::int))::numeric * power(10::numeric, (random() * 24 - 14)::int)
               + case when random() < 0.3 then (random() * 1e15)::numeric * 1e-20 else 0 end as x
    from generate_series(1, 400) id) q;
insert into question(kind, name, types, vals)
  select 'in', 'numeric', array['numeric'], array['-1', x::text] from random_number where id <= 150;
insert into question(kind, name, types, vals)
  select 'in', 'numeric', array['numeric'], array[(((20 << 16) | 4) + 4)::text, x::text] from random_number where id <= 80;

insert into val values
  ('numeric','0'), ('numeric','0.00'), ('numeric','1'), ('numeric','-1.0'), ('numeric','2.5'), ('numeric','-3.75'), ('numeric','NaN'), ('numeric','Infinity'), ('numeric','-Infinity'),
  ('numeric','0.0001'), ('numeric','123456789.987654321'), ('numeric','-99999999'), ('numeric','1e20'), ('numeric','1e-20'), ('numeric','3'), ('numeric','1.000'), ('numeric', '10000'), ('numeric', '-0.5'), ('numeric', null);
-- Large powers are asked below, and with small results only.
call ask_operators('{numeric}', '{numeric}', 19, 19);
delete from question where kind = 'op' and name = '^' and vals[1] in ('123456789.987654321', '-99999999', '1e20', '1e-20') and vals[2] not in ('0', '0.00', '1', '-1.0', '2.5', '3', '1.000', '-0.5', 'NaN', 'Infinity', '-Infinity');
delete from question where kind = 'op' and name = '^' and vals[2] in ('10000', '-99999999', '123456789.987654321') and vals[1] not in ('0', '0.00', '1', '-1.0', '1.000');
call ask_prefix('-', '{numeric}');
call ask_prefix('+', '{numeric}');

create procedure ask_random(op text, step int, above text default '1000000') language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'op', op, '{numeric,numeric}', array[a.x::text, b.x::text],
         format('%L::numeric operator(pg_catalog.%s) %L::numeric', a.x, op, b.x)
  from random_number a join random_number b on b.id = 1 + (a.id * step) % 400 order by a.id $$;
call ask_random('+', 7);
call ask_random('-', 11);
call ask_random('*', 13);
call ask_random('/', 17);
call ask_random('%', 19);
call ask_random('<', 23);

create procedure ask_numeric(function text, variadic lists text[]) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'fn', function, (select array_agg('numeric'::text) from unnest(parts)), parts,
         function || '(' || (select string_agg(typed(p, 'numeric'), ', ' order by i) from unnest(parts) with ordinality u(p, i)) || ')'
  from unnest(lists) l, lateral (select string_to_array(l, '|', '\N') parts) x $$;

-- Functions of one number.
insert into question(kind, name, types, vals, expr)
  select 'fn', f, '{numeric}', array[v], f || '(' || typed(v, 'numeric') || ')'
  from unnest('{abs,sign,ceil,ceiling,floor,round,trunc,scale,min_scale,trim_scale,sqrt,exp,ln,log,log10,numeric_uminus,numeric_inc}'::text[]) f,
       (select v from val where type = 'numeric' and v not in ('123456789.987654321', '1e20')
        union all select unnest('{0.5,1.5,-1.5,-2.5,0.49999,0.9,1.1,1.0001,0.99999999,1.00000000000001,9999.5,-9999.5,99999999.5,1e-30,7.389056098930650,2,4,1e8,100,1000000,0.000001,123.4500,1200.00,5000.0,-5000.0}'::text[])) x
  where not (f = 'exp' and v in ('1e8', '1000000', '9999.5', '99999999.5', '10000', '5000.0'));
insert into question(kind, name, types, vals, expr)
  select 'fn', f, '{numeric}', array[x::text], f || '(' || quote_literal(x) || '::numeric)'
  from unnest('{ceil,floor,round,trunc,sqrt,ln,log,trim_scale}'::text[]) f, (select abs(x) x from random_number where id between 1 and 60) r;
insert into question(kind, name, types, vals, expr)
  select 'fn', 'exp', '{numeric}', array[x::text], 'exp(' || quote_literal(x) || '::numeric)'
  from (select distinct x from random_number where abs(x) < 300 union all select unnest('{5999.9,-2000,-3000,-5999,-6000,6000,6001,1e10,-1e10,0.01,0.010001,0.00999}'::numeric[])) r;
call ask_numeric('sqrt', '123456789.987654321', '1e20', '2.0000000000000000000000000000000000000000', '99980001', '99980000', '99980002', '1e-100', '4e-100', '1e1000', '0.' || repeat('0', 500) || '7', repeat('9', 200), repeat('9', 200) || '.' || repeat('9', 50), '1' || repeat('0', 300));
call ask_numeric('ln', '123456789.987654321', '1e20', '1e1000', '1e-1000', '1.' || repeat('0', 100) || '1', '0.' || repeat('9', 60), repeat('9', 200) || '.' || repeat('9', 50));
call ask_numeric('log', '2|8', '8|2', '10|0.001', '0.5|1000', '1|5', '5|1', '0|5', '5|0', '-1|5', '5|-1', 'NaN|5', '5|NaN', 'inf|5', '5|inf', 'inf|inf', '-inf|5', '0|inf', '1.0000001|100', '2.5|1e100', '1e100|2.5', '0.9999|1.0001', '7|\N');
insert into question(kind, name, types, vals, expr)
  select 'fn', 'log', '{numeric,numeric}', array[a.x::text, b.x::text], format('log(%L::numeric, %L::numeric)', a.x, b.x)
  from (select id, abs(x) x from random_number) a join (select id, abs(x) x from random_number) b on b.id = 1 + (a.id * 29) % 400 where a.id <= 60 order by a.id;
call ask_numeric('power', '2|10', '2|-10', '2|0.5', '2|100', '2|1000', '10|300', '10|-300', '10|1000', '10|-1000', '10|-1001', '10|-999', '0|0', '0|1', '0|0.5', '0|-1', '0.00|2', '-2|3', '-2|2', '-2|-3', '-2|0.5', '-2|2.0', '1.5|1.5', '1.5|-1.5', '0.5|0.5',
  '1.0001|10000', '0.9999|10000', '1.1|2147483647', '0.9|2147483647', '1|2147483648', '-1|2147483648', '-1|2147483649', '1.0000000001|2147483648', '0.9999999999|4294967297', '-0.9999999999|4294967297', '10|131071.5', '10|131072', '10|131073', '10|1e10', '10|-1e10', '0.1|131072', '0.1|1000', '0.1|-1000',
  '123.456|7.89', '0.001|0.001', '9999|9999e-4', '1e-10|10.5', '1e10|-10.5', '3|3.000', '3.00|2', '3.00|-1', '3.000|1', '3|1.00000', '3|0.00', '7|-7', '1234567.8|4', '1234567.8|-4', '1e-5|3', '1e-5|200', '1e-5|201', '1e-5|-200', '2|0.00000001', '5|-0.00000001', '1e100|0.01', '10|2.5', '0.0000001|0.0000001');
insert into question(kind, name, types, vals, expr)
  select 'op', '^', '{numeric,numeric}', array[a.x::text, b.x::text], format('%L::numeric operator(pg_catalog.^) %L::numeric', a.x, b.x)
  from (select id, abs(x) x from random_number) a join (select id, round(x, 6) x from random_number where abs(x) between 0.01 and 30) b on b.id = 1 + (a.id * 31) % 400 order by a.id;
insert into question(kind, name, types, vals, expr)
  select 'op', '^', '{numeric,numeric}', array[a.x::text, e], format('%L::numeric operator(pg_catalog.^) %L::numeric', a.x, e)
  from random_number a, unnest('{2,3,-1,-2,7,12}'::text[]) e where a.id <= 30 order by a.id, e;
call ask_numeric('mod', '7|3', '-7|3', '7|-3', '-7|-3', '7.5|2', '7.5|0.7', '1e20|7', '5|0', '123456789012345678901234567890|987654321', '1e100|1e-10');
call ask_numeric('div', '7|3', '-7|3', '7|-3', '-7|-3', '7.5|2', '7.5|0.7', '1e20|7', '5|0', '123456789012345678901234567890|987654321', 'inf|2', '2|inf', 'inf|inf', 'NaN|1', 'inf|0', '-inf|-2', '0|5.00', '1|3.00');
call ask_numeric('gcd', '12|18', '-12|18', '12|-18', '0|5', '5|0', '0|0', '1.5|0.9', '1.50|0.9', '0.00|1.0', '330.3|462', '123456789012345678901234567890|987654321098765432109876543210', 'NaN|1', 'inf|1', '1|-inf', '7|7.0', '\N|1');
call ask_numeric('lcm', '12|18', '-12|18', '12|-18', '0|5', '5|0', '0|0', '1.5|0.9', '1.50|0.9', '0.00|1.0', '330.3|462', '123456789012345678901234567890|987654321098765432109876543210', 'NaN|1', 'inf|1', '1|-inf');
call ask_numeric('numeric_smaller', '1|2', '2|1', '1.0|1.00', '1.00|1.0', 'NaN|1', 'inf|NaN');
call ask_numeric('numeric_larger', '1|2', '2|1', '1.0|1.00', '1.00|1.0', 'NaN|1', 'inf|NaN');
call ask_numeric('numeric_cmp', '1|2', '2|1', '1.0|1.00', 'NaN|1', 'inf|NaN', 'NaN|NaN', '-inf|inf', '-5|-6', '10000|9999', '0.0001|0.00009', '100000000|100000001', '-1|0', '0|-0.00');
insert into question(kind, name, types, vals, expr)
  select 'fn', f, '{numeric,int4}', array[v, s], f || '(' || quote_literal(v) || '::numeric, ' || s || ')'
  from unnest('{round,trunc}'::text[]) f, unnest('{0,0.5,-0.5,1.5,2.45,-2.55,1234.5678,-1234.5678,9999.9999,99995,5e10,4.9e10,0.00005,NaN,Infinity,123456789.987654321}'::text[]) v, unnest('{0,1,2,3,4,6,20,-1,-2,-3,-4,-5,-10,-11}'::text[]) s;
call ask_function('round', '{numeric,int4}', '1e-3000|3000', '1.5|2147483647', '1.5|-2147483648', '1e131071|-131071', '1e131071|-131072', '9e131071|-131072', '1.5|2000', '1.5|2001', '\N|1', '1|\N');
call ask_function('trunc', '{numeric,int4}', '1e-3000|3000', '1.5|-2147483648', '1e131071|-131071', '1e131071|-131072');
call ask_function('factorial', '{int8}', '0', '1', '5', '20', '21', '100', '-1', '32178', '9223372036854775807');
insert into question(kind, name, types, vals, expr)
  select 'fn', 'width_bucket', '{numeric,numeric,numeric,int4}', array[v, lo, hi, c], format('width_bucket(%L::numeric, %L::numeric, %L::numeric, %s)', v, lo, hi, c)
  from unnest('{-1,0,0.1,3.5,4.999,5,5.0001,9.99,10,10.5,NaN,inf,-inf}'::text[]) v,
       (values ('0','10','5'), ('10','0','5'), ('0','10','3'), ('5','5','3'), ('0','10','0'), ('0','10','-1'), ('NaN','10','3'), ('0','inf','3'), ('0','10','2147483647')) b(lo, hi, c);
call ask_function('pg_catalog.numeric', '{numeric,int4}', '1.005|' || ((5 << 16) | 2) + 4, '999.995|' || ((5 << 16) | 2) + 4, '-12.3456|' || ((5 << 16) | 2) + 4, '1.5|-1', 'NaN|' || ((5 << 16) | 2) + 4, 'inf|' || ((5 << 16) | 2) + 4, '12345|' || ((3 << 16) | 2046) + 4, '0.00|' || ((5 << 16) | 4) + 4, 'inf|-1');

insert into val values
  ('numeric','32767'), ('numeric','32767.4'), ('numeric','32767.5'), ('numeric','-32768.5'), ('numeric','-32768.4'), ('numeric','2147483647.4'), ('numeric','2147483647.5'), ('numeric','-2147483648.5'), ('numeric','9223372036854775807'), ('numeric','9223372036854775807.5'), ('numeric','9223372036854775808'),
  ('numeric','-9223372036854775808'), ('numeric','-9223372036854775808.5'), ('numeric','0.4'), ('numeric','1.4999999999'), ('numeric','3.4e38'), ('numeric','3.5e38'), ('numeric','1.8e308'), ('numeric','1.7e308'), ('numeric','1e-45'), ('numeric','1e-46'), ('numeric','4e-324'), ('numeric','1e-324'), ('numeric','2e-324'), ('numeric','1e-400'), ('numeric','0.1'), ('numeric','16777217'), ('numeric','9007199254740993'), ('numeric','1e1000'), ('numeric','-1e1000'),
  ('int2','0'), ('int2','1'), ('int2','-32768'), ('int2','10000'), ('int4','0'), ('int4','-1'), ('int4','2147483647'), ('int4','-2147483648'), ('int4','99990000'),
  ('int8','0'), ('int8','9223372036854775807'), ('int8','-9223372036854775808'), ('int8','100000000'), ('int8','12345'),
  ('float4','0'), ('float4','-0'), ('float4','1.5'), ('float4','0.1'), ('float4','3.4e38'), ('float4','1e-45'), ('float4','NaN'), ('float4','Infinity'), ('float4','-Infinity'), ('float4','16777217'), ('float4','123456789'), ('float4','1e-5'),
  ('float8','0'), ('float8','-0'), ('float8','1.5'), ('float8','0.1'), ('float8','1e308'), ('float8','5e-324'), ('float8','NaN'), ('float8','Infinity'), ('float8','-Infinity'), ('float8','1e15'), ('float8','123456789012345678'), ('float8','0.1234567890123456789'), ('float8','1e-5'), ('float8','100'), ('float8','-1e22');
insert into val select 'float8', ((random() - 0.5) * power(10, (random() * 40 - 20)::int))::text from generate_series(1, 60);
insert into val select 'numeric', x::text from random_number where id between 200 and 240;
call ask_casts('{numeric,int2,int4,int8,float4,float8}');
delete from question where kind = 'cast' and not 'numeric' = any (types);

call ask_aggregate('sum', 'int8', '1|2|\N', '\N', '9223372036854775807|9223372036854775807|1', '-9223372036854775808|-9223372036854775808');
call ask_aggregate('sum', 'numeric', '1|2|\N', '\N', '1.5|2.25|-3.125', '0.00|0', '1.000|-1', 'NaN|1', 'inf|1', 'inf|-inf', '-inf|-inf|2', 'inf|NaN', '1e20|1e-20', '1e30|-1e30', '9999999999999999.9999999999999999|9999999999999999.9999999999999999|0.0000000000000001', '1e100|1|-1e100', '1e-30|2', '1e15|1e-16|1e15',
  '170141183460469231731687303715884105727|170141183460469231731687303715884105727', '0|0.0000', '1e131071|-1e131071', '9e131071|9e131071', '-5|0.00000000000000000001|5');
call ask_aggregate('avg', 'numeric', '1|2|\N', '\N', '1.5|2.25|-3.125', '0.00|0', '1.000|-1', 'NaN|1', 'inf|1', 'inf|-inf', '-inf|2', '1e20|1e-20', '1|1|2', '10|10|10', '1e30|-1e30', '12345678.9|0.1|7', '1e100|1');
call ask_aggregate('avg', 'int2', '1|2|\N', '\N', '1|1|2', '-32768|32767', '0|0');
call ask_aggregate('avg', 'int4', '1|2|\N', '\N', '1|1|2', '-2147483648|2147483647', '10000|20000|7');
call ask_aggregate('avg', 'int8', '1|2|\N', '\N', '1|1|2', '9223372036854775807|9223372036854775807|1', '-9223372036854775808|-9223372036854775808');
call ask_aggregate('min', 'numeric', '1|2|\N', '\N', '1.0|1.00', '1.00|1.0', 'NaN|1', 'inf|NaN', '-inf|0', '-5|-6|-4');
call ask_aggregate('max', 'numeric', '1|2|\N', '\N', '1.0|1.00', '1.00|1.0', 'NaN|1', 'inf|NaN', '-inf|0', '-5|-6|-4');
call ask_aggregate('count', 'numeric', '1|2|\N', '\N', 'NaN');
call ask_set('generate_series', '{numeric,numeric}', '1|5', '5|1', '1.5|4.2', '-0.5|0.5', '1.00|3', 'NaN|1', '1|NaN', 'inf|1', '1|-inf', '\N|1', '9999|10002');
call ask_set('generate_series', '{numeric,numeric,numeric}', '1|2|0.25', '2|1|-0.3', '1|2|0', '1|2|0.00', '1|2|-1', '1|2|NaN', '1|2|inf', 'NaN|inf|0', '1|inf|0', '0|1e-19|3e-20', '1e30|1.0000000000000000000000000000001e30|4', '1|2|\N', '0|1|0.1000', '-5|-5|-1');
call ask_aggregate('var_pop', 'numeric', '1|2|\N', '\N', '1', '1|\N', '1.5|2.25|-3.125', '0.00|0', '5|5|5', 'NaN|1', 'inf|1', 'NaN', 'inf', 'inf|-inf', '1e20|1e-20', '1e10|1|7', '12345678.9|0.1|7', '1e100|1', '1000000000000.001|1000000000000.002|1000000000000.003', '9223372036854775807|-9223372036854775807|1', '0.00001|0.00002', '1e-30|2e-30', '3|3.1|3.14159|2.71828|1.41421|9.8696');
call ask_aggregate('var_pop', 'int2', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-32768|32767');
call ask_aggregate('var_pop', 'int4', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-2147483648|2147483647|2147483647');
call ask_aggregate('var_pop', 'int8', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '9223372036854775807|-9223372036854775808', '9223372036854775807|9223372036854775806|9223372036854775805|9223372036854775807');
call ask_aggregate('var_samp', 'numeric', '1|2|\N', '\N', '1', '1|\N', '1.5|2.25|-3.125', '0.00|0', '5|5|5', 'NaN|1', 'inf|1', 'NaN', 'inf', 'inf|-inf', '1e20|1e-20', '1e10|1|7', '12345678.9|0.1|7', '1e100|1', '1000000000000.001|1000000000000.002|1000000000000.003', '9223372036854775807|-9223372036854775807|1', '0.00001|0.00002', '1e-30|2e-30', '3|3.1|3.14159|2.71828|1.41421|9.8696');
call ask_aggregate('var_samp', 'int2', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-32768|32767');
call ask_aggregate('var_samp', 'int4', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-2147483648|2147483647|2147483647');
call ask_aggregate('var_samp', 'int8', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '9223372036854775807|-9223372036854775808', '9223372036854775807|9223372036854775806|9223372036854775805|9223372036854775807');
call ask_aggregate('variance', 'numeric', '1|2|\N', '\N', '1', '1|\N', '1.5|2.25|-3.125', '0.00|0', '5|5|5', 'NaN|1', 'inf|1', 'NaN', 'inf', 'inf|-inf', '1e20|1e-20', '1e10|1|7', '12345678.9|0.1|7', '1e100|1', '1000000000000.001|1000000000000.002|1000000000000.003', '9223372036854775807|-9223372036854775807|1', '0.00001|0.00002', '1e-30|2e-30', '3|3.1|3.14159|2.71828|1.41421|9.8696');
call ask_aggregate('variance', 'int2', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-32768|32767');
call ask_aggregate('variance', 'int4', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-2147483648|2147483647|2147483647');
call ask_aggregate('variance', 'int8', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '9223372036854775807|-9223372036854775808', '9223372036854775807|9223372036854775806|9223372036854775805|9223372036854775807');
call ask_aggregate('stddev_pop', 'numeric', '1|2|\N', '\N', '1', '1|\N', '1.5|2.25|-3.125', '0.00|0', '5|5|5', 'NaN|1', 'inf|1', 'NaN', 'inf', 'inf|-inf', '1e20|1e-20', '1e10|1|7', '12345678.9|0.1|7', '1e100|1', '1000000000000.001|1000000000000.002|1000000000000.003', '9223372036854775807|-9223372036854775807|1', '0.00001|0.00002', '1e-30|2e-30', '3|3.1|3.14159|2.71828|1.41421|9.8696');
call ask_aggregate('stddev_pop', 'int2', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-32768|32767');
call ask_aggregate('stddev_pop', 'int4', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-2147483648|2147483647|2147483647');
call ask_aggregate('stddev_pop', 'int8', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '9223372036854775807|-9223372036854775808', '9223372036854775807|9223372036854775806|9223372036854775805|9223372036854775807');
call ask_aggregate('stddev_samp', 'numeric', '1|2|\N', '\N', '1', '1|\N', '1.5|2.25|-3.125', '0.00|0', '5|5|5', 'NaN|1', 'inf|1', 'NaN', 'inf', 'inf|-inf', '1e20|1e-20', '1e10|1|7', '12345678.9|0.1|7', '1e100|1', '1000000000000.001|1000000000000.002|1000000000000.003', '9223372036854775807|-9223372036854775807|1', '0.00001|0.00002', '1e-30|2e-30', '3|3.1|3.14159|2.71828|1.41421|9.8696');
call ask_aggregate('stddev_samp', 'int2', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-32768|32767');
call ask_aggregate('stddev_samp', 'int4', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-2147483648|2147483647|2147483647');
call ask_aggregate('stddev_samp', 'int8', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '9223372036854775807|-9223372036854775808', '9223372036854775807|9223372036854775806|9223372036854775805|9223372036854775807');
call ask_aggregate('stddev', 'numeric', '1|2|\N', '\N', '1', '1|\N', '1.5|2.25|-3.125', '0.00|0', '5|5|5', 'NaN|1', 'inf|1', 'NaN', 'inf', 'inf|-inf', '1e20|1e-20', '1e10|1|7', '12345678.9|0.1|7', '1e100|1', '1000000000000.001|1000000000000.002|1000000000000.003', '9223372036854775807|-9223372036854775807|1', '0.00001|0.00002', '1e-30|2e-30', '3|3.1|3.14159|2.71828|1.41421|9.8696');
call ask_aggregate('stddev', 'int2', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-32768|32767');
call ask_aggregate('stddev', 'int4', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '-2147483648|2147483647|2147483647');
call ask_aggregate('stddev', 'int8', '1|2|\N', '\N', '1', '1|2|4|8', '7|7|7', '9223372036854775807|-9223372036854775808', '9223372036854775807|9223372036854775806|9223372036854775805|9223372036854775807');
select line from answered order by id;
