-- golden_core.sql — questions about plugins/sql/core.
call ask_inputs('{bool,int2,int4,int8,oid,float4,float8}', -1, array[
  '', ' ', '0', '1', '-1', '+1', ' 12', '12 ', ' 12 ', E'\t7\n', '1 2', '1.0', '1.', '.5', '-.5', '+.5', '.', '-', '+', '--1', '+-1',
  '1e2', '1E+2', '1e-2', '1e', '1e+', 'e1', '0x10', '0x', '0xg', '1_000', '007', '-0', '00', '-00.0',
  '127', '128', '-128', '-129', '32767', '32768', '-32768', '-32769', '65535', '65536',
  '2147483647', '2147483648', '-2147483648', '-2147483649', '4294967295', '4294967296', '-4294967295',
  '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809',
  '18446744073709551615', '18446744073709551616', '99999999999999999999999999', '-99999999999999999999999999',
  'abc', '1a', 'a1', '1,2', '$1', '½', '１', 'NaN', 'nan', '-nan', '+NaN', 'nanx', 'Infinity', '-Infinity', '+infinity', 'inf', '-INF', 'infin', 'infinityx',
  '1e10', '1e15', '1e16', '1e-4', '1e-5', '1e37', '1e38', '3.4028235e38', '3.4028236e38', '3.5e38', '1e39', '1e-37', '1e-38', '1e-45', '1e-46', '7e-46',
  '1e100', '1e307', '1e308', '1.7976931348623157e308', '1.7976931348623159e308', '1e309', '1e-307', '1e-308', '4.9e-324', '5e-324', '2e-324', '1e-400', '0e500',
  '0.1', '0.2', '0.3', '0.30000000000000004', '123456.789', '1234567.125', '16777216', '16777217', '9007199254740993', '123456789012345678', '0.000123', '0.0000123',
  '100000', '1000000', '10000000', '999999', '9999999', '99999999', '123456789012345', '1234567890123456', '1e22', '1e23', '8.41e21', '2.2250738585072014e-308', '9.5e-7', '1.5e-323',
  't', 'tr', 'tru', 'true', 'trues', 'TRUE', ' True ', 'f', 'fa', 'fal', 'fals', 'false', 'falsee', 'y', 'ye', 'yes', 'n', 'no', 'non', 'on', 'o', 'of', 'off', 'offf', '2', 'null']);
select setseed(0.5) is null as x \gset
insert into question(kind, name, types, vals)
select 'in', t, array[t], array['-1', x] from unnest('{float4,float8}'::text[]) t, (
  select ((random() - 0.5) * power(10, (random() * 60 - 30)::int))::text x from generate_series(1, 150)
  union all select (random() * power(2, (random() * 120 - 60)::int))::float4::text from generate_series(1, 100)) q;
insert into question(kind, name, types, vals)
select 'in', t, array[t], array['-1', x] from unnest('{int2,int4,int8,oid}'::text[]) t, (
  select ((random() - 0.5) * power(10, (random() * 20)::int))::numeric(30)::text x from generate_series(1, 100)) q;

insert into val values
  ('bool','t'), ('bool','f'), ('bool', null),
  ('int2','0'), ('int2','1'), ('int2','-1'), ('int2','7'), ('int2','32767'), ('int2','-32768'), ('int2','-300'),
  ('int4','0'), ('int4','1'), ('int4','-1'), ('int4','65536'), ('int4','2147483647'), ('int4','-2147483648'), ('int4','32768'), ('int4','33'),
  ('int8','0'), ('int8','1'), ('int8','-1'), ('int8','3000000000'), ('int8','9223372036854775807'), ('int8','-9223372036854775808'), ('int8','2147483648'), ('int8','-40000'),
  ('oid','0'), ('oid','1'), ('oid','2147483648'), ('oid','4294967295'), ('oid','16384'),
  ('float4','0'), ('float4','-0'), ('float4','1.5'), ('float4','-2.5'), ('float4','3e38'), ('float4','NaN'), ('float4','-Infinity'), ('float4','1e-44'), ('float4','3e9'), ('float4','0.1'), ('float4','32767.5'),
  ('float8','0'), ('float8','-0'), ('float8','2.5'), ('float8','-3.5'), ('float8','1e308'), ('float8','NaN'), ('float8','Infinity'), ('float8','-Infinity'), ('float8','1e-300'), ('float8','0.1'), ('float8','1e39'), ('float8','2147483647.5'), ('float8','9223372036854775807'), ('float8', '-9223372036854775808');
call ask_operators('{bool}', '{bool}', 3, 3);
call ask_operators('{int2,int4,int8}', '{int2,int4,int8}', 7, 7);
call ask_operators('{oid}', '{oid}', 5, 5);
call ask_operators('{float4,float8}', '{float4,float8}', 10, 10);
call ask_prefix('-', '{int2,int4,int8,float4,float8}');
call ask_prefix('+', '{int2,int4,int8}');
call ask_prefix('~', '{int2,int4,int8}');
call ask_casts('{bool,int2,int4,int8,oid,float4,float8}');
call ask_function_all('abs', '{int2}');
call ask_function_all('abs', '{int4}');
call ask_function_all('abs', '{int8}');
call ask_aggregate('count', 'int4', '1|2|\N', '\N');
call ask_aggregate('sum', 'int2', '1|2|\N', '\N', '32767|32767|32767');
call ask_aggregate('sum', 'int4', '1|2|\N', '\N', '2147483647|2147483647|2147483647');
call ask_aggregate('sum', 'int8', '1|2|\N', '\N', '9223372036854775807|9223372036854775807|1', '-9223372036854775808|-9223372036854775808');
call ask_aggregate('sum', 'float4', '0.1|0.2|\N', '\N', '3e38|3e38', '-0', 'NaN|1');
call ask_aggregate('sum', 'float8', '0.1|0.2|0.3', '\N', '1e308|1e308', 'Infinity|-Infinity', '-0');
call ask_aggregate('avg', 'float4', '0.1|0.2|\N', '\N', '3e38|3e38');
call ask_aggregate('avg', 'float8', '0.1|0.2|0.3', '\N', '1e308|1e308', 'Infinity|1');
call ask_aggregate('bool_and', 'bool', 't|f|\N', 't|\N', '\N');
call ask_aggregate('bool_or', 'bool', 't|f|\N', 'f|\N', '\N');
call ask_aggregate('every', 'bool', 't|t', 't|f');
call ask_aggregate('min', 'int2', '3|-4|\N', '\N');
call ask_aggregate('max', 'int4', '3|-4|\N', '\N');
call ask_aggregate('min', 'int8', '3|-4|\N', '\N');
call ask_aggregate('max', 'oid', '1|4294967295', '\N');
call ask_aggregate('min', 'float4', '1|NaN|-2', 'NaN|\N');
call ask_aggregate('max', 'float8', '1|NaN|-2', '\N');
call ask_set('generate_series', '{int4,int4}', '1|5', '5|1', '3|3', '-2|2', '2147483645|2147483647', '\N|3', '1|\N', '1|1030');
call ask_set('generate_series', '{int4,int4,int4}', '1|10|3', '10|1|-4', '1|10|-1', '10|1|1', '1|5|0', '5|1|0', '2147483640|2147483647|5', '-2147483640|-2147483648|-5', '-2147483648|2147483647|1000000000', '1|5|\N', '3|3|-7');
call ask_set('generate_series', '{int8,int8}', '1|5', '5|1', '9223372036854775805|9223372036854775807', '-9223372036854775808|-9223372036854775806', '\N|1');
call ask_set('generate_series', '{int8,int8,int8}', '1|10|4', '10|1|-4', '1|2|0', '-9223372036854775808|9223372036854775807|4611686018427387904', '9223372036854775807|-9223372036854775808|-9223372036854775808', '0|1|9223372036854775807');
call ask_aggregate('avg', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('avg', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('var_pop', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('var_pop', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('var_samp', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('var_samp', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('variance', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('variance', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('stddev_pop', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('stddev_pop', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('stddev_samp', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('stddev_samp', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('stddev', 'float4', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '3e38|-3e38', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_aggregate('stddev', 'float8', '0.1|0.2|0.3', '\N', '1', '1|\N', '1|2|3|4.5', '1e200|-1e200', 'NaN|1', 'Infinity|1', 'Infinity', '1|Infinity', '5|5|5', '1e30|1', '16777217.5|16777218.5|16777219.25');
call ask_function_all('gcd', '{int4,int4}');
call ask_function_all('gcd', '{int8,int8}');
call ask_function_all('lcm', '{int4,int4}');
call ask_function_all('lcm', '{int8,int8}');
call ask_function('gcd', '{int4,int4}', '12|18', '-12|18', '-2147483648|-1', '-2147483648|6', '0|0', '\N|1');
call ask_function('lcm', '{int4,int4}', '12|18', '-12|18', '-2147483648|-1', '4|6', '0|0', '65536|32767', '65536|65535');
select line from answered order by id;
