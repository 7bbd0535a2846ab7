-- golden_text.sql — questions about plugins/sql/text.
call ask_inputs('{text,name,char,bytea}', -1, array[
  '', ' ', 'a', 'abc', ' abc ', 'äöü', 'ß', '日本語', '😀', E'tab\tnew\nline', 'quote''s', 'back\slash', '\\', '\', '\000', '\001', '\377', '\400', '\08', '\12', '\123', 'a\\b', 'a\',
  '\x', '\xdeadBEEF', '\xde ad', E'\\xde\nad', '\xd', '\xde a', '\xg0', '\x0g', '\xäö', '\X00', 'x', '\x00', '\x007f80ff', '\x5c',
  repeat('x', 62), repeat('x', 63), repeat('x', 64), repeat('ä', 31), repeat('ä', 32), repeat('a', 62) || 'ä', repeat('日', 21), repeat('日', 22)]);
call ask_inputs('{varchar,bpchar}', -1, array['', ' ', 'abc', 'abc ', 'äöü']);
call ask_inputs('{varchar,bpchar}', 7, array['', ' ', 'a', 'abc', 'abc ', 'abc  ', 'abcd', 'äöü', 'äöüx', 'äöü  ', '日本語', '日本語版', '    ', 'ab d']);
call ask_inputs('{varchar,bpchar}', 5, array['', 'a', 'ab', '  ']);

insert into val values
  ('text',''), ('text','a'), ('text','abc'), ('text','ABC '), ('text','äöü'), ('text', null), ('text','a%_'), ('text','日本'),
  ('bpchar',''), ('bpchar','a'), ('bpchar','a  '), ('bpchar','ABC '), ('bpchar','äöü'), ('bpchar', ' '),
  ('name',''), ('name','a'), ('name','abc'), ('name','pg_class'), ('name','ÄÖÜ'),
  ('varchar',''), ('varchar','a '), ('varchar','äöü'),
  ('char',''), ('char','a'), ('char','b'), ('char','~'),
  ('bytea',''), ('bytea','\x00'), ('bytea','\x61'), ('bytea','\xff00'), ('bytea','abc'),
  ('bool','t'), ('bool','f'), ('int4','0'), ('int4','65'), ('int4','-1'), ('int4','127'), ('int4','128'), ('int4', '-129');
call ask_operators('{text,name}', '{text,name}', 7, 7);
call ask_operators('{bpchar}', '{bpchar}', 7, 7);
call ask_operators('{char}', '{char}', 7, 7);
call ask_operators('{bytea}', '{bytea}', 7, 7);
call ask_casts('{text,varchar,bpchar,name,char}');
call ask_casts('{bool,text,varchar,bpchar}');
call ask_function('pg_catalog.varchar', '{varchar,int4,bool}', 'abc|6|f', 'abc|6|t', 'ab |6|f', 'abc|-1|f', 'äöü|6|t');
call ask_function('pg_catalog.bpchar', '{bpchar,int4,bool}', 'abc|6|f', 'abc|6|t', 'ab |6|f', 'abc|-1|f', 'äöü|6|t', 'a|9|f');
call ask_aggregate('min', 'text', 'b|a|\N', '\N', 'ä|z', '|a');
call ask_aggregate('max', 'text', 'b|a|\N', '\N', 'ä|z');
call ask_aggregate('min', 'bpchar', 'b|a |a', '\N');
call ask_aggregate('max', 'bpchar', 'b |a|b');
select line from answered order by id;
