-- golden_catalog.sql — questions about plugins/sql/catalog.
call ask_inputs('{_int4,_text,_bool,_name}', -1, array[
  '{}', '{ }', ' {} ', '{1}', '{1,2,3}', '{ 1 , 2 }', '{1,NULL,3}', '{null}', '{"NULL"}', '{{1,2},{3,4}}', '{{1},{2},{3}}', '{{{1}}}', '{{1,2},{3}}', '{1,{2}}', '{{1},2}', '{{},{}}',
  '{{{{{{1}}}}}}', '{t,f}', '{a,b}', '{a b,c  }', '{"a b","c,d","e}","f{"}', '{"x""y"}', '{"x\"y"}', '{"\\"}', '{a\,b}', '{\"}', '{""}', '{,}', '{1,}', '{,1}', '{1 2}',
  '', ' ', '1', '{', '}', '{1', '{1}}', '{1}x', '{1} ', '{"a', '{"a\', '{a\', '{ä,日本}', '{1,2}{3}', '{"a"b}', '{a"b"}', '{{1}', '{x', '{ NULL }', '{nULl}', '{N\ULL}']);
call ask_inputs('{int2vector,oidvector}', -1, array['', ' ', '1', '1 2 3', ' 1  2 ', 'x', '70000', '-1', '{1}']);
insert into val values
  ('_int4','{}'), ('_int4','{1}'), ('_int4','{1,2}'), ('_int4','{2}'), ('_int4','{1,NULL}'), ('_int4','{{1,2}}'), ('_int4','{{1},{2}}'),
  ('_text','{}'), ('_text','{a}'), ('_text','{a,b}'), ('_text','{NULL}'), ('_text','{"a b",""}'), ('_text','{{a,b},{c,d}}');
insert into question(kind, name, types, vals, expr)
select 'op', o, array[a.type, b.type], array[a.v, b.v], typed(a.v, a.type) || ' ' || o || ' ' || typed(b.v, b.type)
from unnest('{=,<>,<,<=,>,>=}'::text[]) o, val a, val b where a.type = b.type and a.type like '\_%' order by o, a.type, a.v, b.v;
call ask_function('pg_catalog.array_to_string', '{_text,text}', '{}|,', '{a,b}|,', '{a,NULL,b}|, ', '{"a b",""}|;', '{{a,b},{c,d}}|,', '\N|,', '{a}|\N', '{NULL}|,');
call ask_function('pg_catalog.array_to_string', '{_text,text,text}', '{a,NULL,b}|,|*', '{a,NULL}|,|\N', '\N|,|x', '{a}|\N|x', '{NULL}|,|');
call ask_function('pg_catalog.array_to_string', '{_int4,text}', '{1,-2,3}|,', '{{1,2},{3,4}}| ');
call ask_function('pg_catalog.array_to_string', '{_bool,text}', '{t,f}|,');
call ask_function('pg_catalog.array_to_string', '{oidvector,text}', '1 2 3|,');
call ask_function('pg_catalog.array_length', '{_int4,int4}', '{}|1', '{1,2}|1', '{1,2}|2', '{{1,2,3},{4,5,6}}|1', '{{1,2,3},{4,5,6}}|2', '{1}|0', '{1}|-1', '\N|1');
call ask_function('pg_catalog.array_upper', '{_int4,int4}', '{}|1', '{1,2}|1', '{{1,2,3},{4,5,6}}|2', '{1}|0');
call ask_function('pg_catalog.array_lower', '{_int4,int4}', '{}|1', '{1,2}|1', '{{1,2,3},{4,5,6}}|2', '{1}|0');
call ask_function('pg_catalog.array_upper', '{int2vector,int4}', '1 2 3|1', '|1');
call ask_function('pg_catalog.array_lower', '{int2vector,int4}', '1 2 3|1');
call ask_function('pg_catalog.array_ndims', '{_int4}', '{}', '{1}', '{{1}}');
call ask_function('pg_catalog.cardinality', '{_int4}', '{}', '{1,2}', '{{1,2},{3,4}}');
call ask_function('pg_catalog.pg_size_pretty', '{int8}', '0', '1', '-1', '10239', '10240', '-10239', '-10240', '1048576', '10485247', '10485248', '10485760', '20971519', '1073741824', '10737418240', '109951162777600', '1125899906842624', '9223372036854775807', '-9223372036854775808', '-9223372036854775807', '123456789', '-123456789');
call ask_function('pg_catalog.pg_encoding_to_char', '{int4}', '-1', '0', '6', '8', '41', '42', '1000');
call ask_function('pg_catalog.pg_char_to_encoding', '{name}', 'UTF8', 'utf8', 'LATIN1', 'SQL_ASCII', 'nope');
call ask_function('pg_catalog.has_table_privilege', '{text,text}', 'pg_catalog.pg_class|SELECT');
insert into question(kind, name, types, vals, expr)
select 'op', '||', array[a.type, b.type], array[a.v, b.v], typed(a.v, a.type) || ' || ' || typed(b.v, b.type)
from val a, val b where a.type = b.type and a.type like '\_%' and a.v not like '{{%' and b.v not like '{{%' order by a.type, a.v, b.v;
call ask_function('pg_catalog.array_cat', '{_int4,_int4}', '\N|{1}', '{1}|\N', '\N|\N', '{}|{}');
select line from answered order by id;
