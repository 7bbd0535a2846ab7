-- golden_datetime.sql — questions about plugins/sql/datetime.
create table moment(v text);
insert into moment values
  (''), (' '), ('2024-02-29'), ('2023-02-29'), ('2024-1-5'), ('2024-01-05 '), (' 2024-01-05'), ('20240105'), ('240105'), ('2024/01/05'), ('2024.01.05'), ('01/05/2024'), ('1/5/24'), ('31/12/2024'), ('13/13/2024'), ('2024-13-01'), ('2024-00-10'), ('2024-01-00'), ('2024-01-32'), ('2024-04-31'), ('1900-02-29'), ('2000-02-29'),
  ('January 5, 2024'), ('5 Jan 2024'), ('Jan-05-2024'), ('05-Jan-2024'), ('2024-Jan-05'), ('5-Jan-24'), ('Jan 5 24'), ('24-Jan-05'), ('jan5,2024'), ('5jan2024'), ('sept 3 2024'), ('Foo 5 2024'), ('Jan 32 2024'), ('Mon Jan 8 2024'), ('monday 2024-01-08'), ('Tuesday 8 January 2024'),
  ('2024.060'), ('2024 060'), ('2024-366'), ('2023-366'), ('J2451187'), ('j 2451187'), ('jd2451187.5'), ('julian 2451545'), ('J-1'), ('J'), ('99-12-31'), ('70-01-01'), ('69-12-31'), ('00-01-01'), ('0001-01-01'), ('0000-01-01'), ('0001-01-01 BC'), ('4713-01-01 BC'), ('4714-11-24 BC'), ('4714-11-23 BC'), ('4715-01-01 BC'), ('2024-01-05 AD'), ('2024-01-05BC'), ('BC 2024-01-05'), ('0000-01-01 BC'), ('99-01-01 BC'), ('099-01-01'),
  ('5874897-12-31'), ('5874898-01-01'), ('294276-12-31'), ('294276-12-31 23:59:59.999999'), ('294277-01-01'), ('10000-01-01'), ('100000101'), ('99999999999-01-01'), ('epoch'), ('infinity'), ('-infinity'), ('Infinity'), ('+infinity'), ('inf'), ('- infinity'), ('allballs'), ('2024-01-05 allballs'), ('epoch 2024-01-01'), ('infinity BC'),
  ('2024-01-05 12:34'), ('2024-01-05 12:34:56'), ('2024-01-05 12:34:56.7'), ('2024-01-05 12:34:56.1234567'), ('2024-01-05 12:34:56.1234565'), ('2024-01-05 12:34:56.9999999'), ('2024-01-05 23:59:59.9999999'), ('2024-01-05 24:00'), ('2024-01-05 24:00:01'), ('2024-01-05 25:00'), ('2024-01-05 12:60'), ('2024-01-05 12:34:60'), ('2024-01-05 12:34:61'), ('2024-01-05 12:34:60.5'), ('2024-01-05T12:34:56'), ('2024-01-05t12:34:56z'), ('2024-01-05T123456'), ('20240105T123456'), ('20240105T1234'), ('20240105T123456.789'), ('20240105123456'), ('2024-01-05 123456'), ('2024-01-05 1234'), ('2024-01-05 123'), ('2024-01-05 12'), ('T12:34'), ('2024-01-05T'), ('2024-01-05 T 12:34'),
  ('2024-01-05 12:34 AM'), ('2024-01-05 12:34 PM'), ('2024-01-05 1:34pm'), ('2024-01-05 13:34 PM'), ('2024-01-05 13:34 AM'), ('2024-01-05 00:34 PM'), ('2024-01-05 11:59:59 pm'), ('2024-01-05 PM'), ('12:34'), ('12:34:56'), ('12:34:56 2024-01-05'), ('12:34 Jan 5 2024'), ('Fri Jan 05 12:34:56 2024'), ('Fri Jan 05 12:34:56 2024 PST'), ('Fri Jan 05 12:34:56 PST 2024'), ('Fri, 5 Jan 2024 12:34:56 GMT'),
  ('2024-01-05 12:34+02'), ('2024-01-05 12:34:56-0330'), ('2024-01-05 12:34:56 +05:30'), ('2024-01-05 12:34:56+05:30:15'), ('2024-01-05 12:34+15:59:59'), ('2024-01-05 12:34+16'), ('2024-01-05 12:34-15:60'), ('2024-01-05 12:34 + 2'), ('2024-01-05 12:34+2:'), ('2024-01-05 12:34 Z'), ('2024-01-05 12:34Z'), ('2024-01-05 12:34 UTC'), ('2024-01-05 12:34 utc+3'), ('2024-01-05 12:34 GMT-3'), ('2024-01-05 12:34 EST'), ('2024-07-05 12:34 EDT'), ('2024-01-05 12:34 CET'), ('2024-01-05 12:34 CEST'), ('2024-07-05 12:34 PDT'), ('2024-01-05 12:34 MSK'), ('2012-01-05 12:34 MSK'), ('2024-01-05 12:34 IST'), ('2024-01-05 12:34 MET DST'), ('2024-07-05 12:34 EST DST'), ('2024-01-05 12:34 DST'), ('2024-01-05 12:34 XYZ'), ('2024-01-05 12:34 EST5EDT'), ('2024-07-05 12:34 est5edt'), ('2024-01-05 12:34 FOO3'), ('2024-01-05 12:34 FOO+3'),
  ('2024-01-05 12:34 America/New_York'), ('2024-07-05 12:34 america/new_york'), ('2024-07-05 12:34 Europe/Berlin'), ('2024-07-05 Asia/Kolkata'), ('2024-07-05 12:34:56 Asia/Tokyo'), ('2050-07-05 12:34 America/New_York'), ('2050-01-05 12:34 Europe/London'), ('2500-07-05 12:34 Australia/Sydney'), ('1850-01-05 12:34 Europe/Berlin'), ('1900-07-05 12:34 America/New_York'), ('1942-07-05 12:34 America/New_York'), ('2024-03-10 02:30 America/New_York'), ('2024-11-03 01:30 America/New_York'), ('2024-03-31 02:30 Europe/Berlin'), ('2024-10-27 02:30 Europe/Berlin'), ('2024-07-05 12:34 Europe/Dublin'), ('2024-01-05 12:34 Europe/Dublin'), ('2024-07-05 12:34 Africa/Casablanca'), ('2024-01-05 12:34 Nowhere/Land'), ('2024-01-05 Foo/Bar'), ('2024-01-05 12:34 Zulu'), ('2024-01-05 12:34 Etc/GMT+5'), ('2024-01-05 12:34 Etc/GMT-14'), ('America/New_York'), ('2024-01-05 America/New_York 12:34'), ('2024-01-05 040506-08'), ('2024-01-05 040506.789-08'), ('2024-01-05 04:05:06-08 -07'),
  ('2024-01-05 12:34:56,789'), ('2024-01-05, 12:34'), ('2024-01-05;12:34'), ('(2024-01-05)'), ('2024--01-05'), ('2024-01-'), ('-2024-01-05'), ('+2024-01-05'), ('2024-01-05-06'), ('2024-01-05 2024-01-06'), ('2024-01-05 12:34 12:35'), ('12:34:56:78 2024-01-05'), ('2024-01-05 .5'), ('2024-01-05 12:.5'), ('2024-01-05 1:2:3.'), ('2024-01-05 :34'), ('x'), ('2024'), ('2024-01'), ('202401'), ('1'), ('12345678901234567890'), ('ä'), ('2024-01-05 ä'), ('2024-01-05 12:34:56.123e1'), ('y2024m01d05'), ('y2024m01d05h04mm05s06'), ('at 2024-01-05 12:34'), ('on 2024-01-05'), ('2024-01-05 at 12:34'), ('2024-01-05 12:34 ago'), ('mon'), ('jan'), ('am'), ('d'), ('dow'), ('1.5.2024'), ('31.12.2024'), ('1-2-3'), ('01-02-03 04:05'), ('1 2 3'), ('1 2 2003'), ('2003 1 2'), ('Jan 2 3'), ('3 Jan 2'), ('2 3 Jan'), ('100 Jan 2'), ('Jan 2 100'), ('Jan 100 2'),
  (repeat('1', 130)), (repeat(' ', 300) || '2024-01-05'), (repeat('a', 200)), (repeat('1 ', 26)), ('2024-01-05 12:34:56.' || repeat('1', 100)), ('1969-12-31 23:59:59.999999'), ('1970-01-01 00:00:00.000001'), ('2000-01-01 00:00:00'), ('1999-12-31 23:59:59.5'), ('0044-03-15 BC 12:00'), ('2024-01-05 12:34 BC'), ('4714-11-24 00:00:00 BC'), ('4714-11-23 23:59:59 BC'), ('4714-11-24 00:00:00+01 BC'), ('294276-12-31 23:59:59-01');
insert into question(kind, name, types, vals)
select 'in', t, array[t], array['-1', v] from unnest('{date,timestamp,timestamptz,time}'::text[]) t, moment;
call ask_inputs('{time}', -1, array['00:00', '24:00', '24:00:00.000001', '23:59:60', '23:59:59.9999999', '0:0', '1:2:3', '123456', '1234', '123', '12', '12:34:56.789', '12:34:56.7891234', '04:05 AM', '04:05 PM', '12:00 am', '13:00 pm', '040506', '040506.7', '040506+08', '04:05:06-8', '04:05:06 EST', '04:05:06 America/New_York', '2024-01-05 04:05:06 America/New_York', '04:05:06 UTC', 'T040506', 't04:05:06', 'allballs', 'noon', '12.34', '1234.56', '123456.', '12:', ':12', '12:34:', '12:34:56.', '2024-01-05 040506', 'J2451187 04:05:06', '04:05:06 DST', '04:05:06 MSK', '04:05:06 BC', '25:00', '12:61', '-12:00']);
call ask_inputs('{time}', 2, array['12:34:56.789', '23:59:59.999', '12:34:56.785', '12:34']);
call ask_inputs('{timestamp,timestamptz}', 0, array['2024-01-05 12:34:56.5', '2024-01-05 12:34:56.4999', '1999-12-31 23:59:59.5', '1999-12-31 12:00:00.5', 'infinity']);
call ask_inputs('{timestamp,timestamptz}', 3, array['2024-01-05 12:34:56.78949', '2024-01-05 12:34:56.7895', '1999-12-31 23:59:59.9995', '1969-12-31 23:59:59.0005', '-infinity']);
call ask_inputs('{interval}', -1, array['', ' ', '1', '1.5', '-1', '+1', '0', '.5', '-.5', '1 day', '1 days', '-1 day', '+1 day', '1 d', '1day', '1d2h', '1 day 2 hours 3 minutes 4 seconds', '1 day 02:03:04', '1 day -02:03:04', '-1 day 02:03:04', '-1 day +02:03:04', '1 year', '1 yr', '2 years 3 mons', '-2 years 3 mons', '1 year 13 months', '1 decade', '1 century', '2 centuries', '1 millennium', '3 millennia', '1 mil', '1 week', '1.5 weeks', '1.5 days', '1.25 months', '1.7 months', '1.5 years', '1.55 years', '0.1 years', '1.5 decades', '0.01 century', '1.5 hours', '1.5 minutes', '1.0000005 seconds', '1.0000004 seconds', '1 millisecond', '1.5 ms', '1 us', '1 microsecond', '1.6 us', '123456789 us', '1 fortnight', '1 quarter', 'day', 'days 1', '1 1', '1 2 days', '1 day 1 day', '1 day 2', '1 day 2 3', '2 hours 1 day', '02:03', '02:03:04', '02:03:04.5', '02:03.5', '-02:03:04.5', '+02:03', '100:00', '00:60', '00:00:60', '00:00:61', '2562047788:00:54.775807', '2562047788:00:54.775808', '2562047789:00', '1-2', '-1-2', '+1-2', '1-12', '1-2 3 4:05:06', '1-2 -3 -4:05:06', '-1-2 3', '1-2-3', '@ 1 day', '@ 1 day ago', '1 day ago', 'ago 1 day', '1 day ago 2 hours', '1 day 02:00 ago', '-1 day ago', 'ago', '@', '1 ago', '1 year 2 mons 3 days 04:05:06.7 ago', 'infinity', 'epoch', 'now', 'today', '1 dow', '1 timezone', '1 year2 months', '1year2months', '1e3 days', '1,5 days', '1 day, 2 hours', '1 day;2 hours', '1 ä', 'ä', '1 day x', '2147483647 days', '2147483648 days', '-2147483648 days', '-2147483649 days', '2147483647 months', '2147483648 months', '178956970 years 7 months', '178956970 years 8 months', '-178956970 years -8 months', '306783378 weeks', '306783379 weeks', '9223372036854775807 us', '9223372036854775808 us', '-9223372036854775808 us', '9223372036854775807 seconds', '2562047788 hours', '2562047789 hours', '1 day 2147483647 days', '99999999999999999999 days', '2147483647.5 months', '0.5 us', '0.7 us', '0.5 months', '-0.5 months', '0.33 days', '1.123456789 days',
  'P1Y2M3DT4H5M6S', 'P1Y', 'P1M', 'P1W', 'P1D', 'PT1H', 'PT1M', 'PT1S', 'PT1.5S', 'PT0.0000005S', 'P1.5Y', 'P1.5M', 'P1.5W', 'P1.5D', 'PT1.5H', 'P-1Y2M', 'P1Y-2M', '-P1Y', 'P', 'PT', 'P1', 'P1YT', 'PT1', 'P1Y2', 'P0001-02-03T04:05:06', 'P0001-02-03', 'P0001-02', 'P0001', 'P00010203T040506', 'P00010203', 'PT040506', 'PT04:05:06', 'PT04:05', 'PT04', 'PT04:05:06.5', 'PT040506.5', 'P1Y2M3D4H', 'p1y', 'P 1Y', 'P1Y ', 'P1YT1', 'P1X', 'P1-2-3-4', 'PT1:2:3:4', 'P.5Y', 'P1.Y', 'P+1Y', 'P1Y1Y', 'P2147483648D', 'PT9223372036854775807S', 'P1W2D', 'P0.5D', 'PT36H', 'P1DT', 'PT1H1', 'P1Y2M3DT4:5:6', 'P1-2T3:4',
  '1 mon', '1 months', '1 min', '1 m', '1 h', '1 hr', '1 hrs', '1 s', '1 sec', '1 secs', '1 w', '1 y', '1 c', '1 dec', '1 mins', '1 msec', '1 usec', '1 useconds', '1 milliseconds', '1 microseconds', '5 microsecondsx', '1 yearss', '1 d 2 d', '1 h 2 m 3 s', '1 m 2 s', '3 4:05:06', '3 4:05', '1 hour 5', '5 1 hour', repeat('1 day ', 13), repeat('x', 300)]);
insert into question(kind, name, types, vals)
select 'in', 'interval', '{interval}', array[((r << 16) | p)::text, v]
from unnest(array[4, 2, 6, 8, 1024, 2048, 4096, 1032, 3080, 7176, 3072, 7168, 6144, 32767]) r, unnest(array[65535, 0, 2]) p,
  unnest(array['1', '1.5', '-1', '1:2', '1:2:3.456', '1 2:3:4', '1-2', '1 year 2 mons 3 days 04:05:06.789', '-1 year -2 mons -3 days -04:05:06.785']) v where p <> 2 or r in (4096, 7176, 7168, 6144, 32767);

insert into val values
  ('date', '2024-02-29'), ('date', '1999-12-31'), ('date', '0044-03-15 BC'), ('date', 'infinity'), ('date', '-infinity'), ('date', '5874897-12-31'), ('date', null), ('date', '2000-01-01'), ('date', '4714-11-24 BC'), ('date', '2024-12-30'), ('date', '294276-12-31'), ('date', '294277-01-01'),
  ('time', '00:00'), ('time', '24:00'), ('time', '12:34:56.789'), ('time', '23:59:59.999999'), ('time', null),
  ('timestamp', '2024-02-29 12:34:56.789012'), ('timestamp', '1999-12-31 23:59:59.5'), ('timestamp', '0044-03-15 12:00 BC'), ('timestamp', 'infinity'), ('timestamp', '-infinity'), ('timestamp', '294276-12-31 23:59:59.999999'), ('timestamp', '2024-02-29'), ('timestamp', null), ('timestamp', '4714-11-24 00:00 BC'), ('timestamp', '2024-03-10 02:30'), ('timestamp', '2024-11-03 01:30'),
  ('timestamptz', '2024-02-29 12:34:56.789012+00'), ('timestamptz', '1999-12-31 23:59:59.5+00'), ('timestamptz', '0044-03-15 12:00+00 BC'), ('timestamptz', 'infinity'), ('timestamptz', '-infinity'), ('timestamptz', '294276-12-31 23:59:59.999999+00'), ('timestamptz', '2024-02-29+00'), ('timestamptz', null), ('timestamptz', '4714-11-24 12:00+00 BC'), ('timestamptz', '2024-03-10 07:30+00'), ('timestamptz', '2024-11-03 05:30+00'), ('timestamptz', '2024-11-03 06:30+00'),
  ('interval', '1 day'), ('interval', '24 hours'), ('interval', '1 month'), ('interval', '-1 year 2 months 3 days -04:05:06.789'), ('interval', '0'), ('interval', '30 days'), ('interval', null), ('interval', '178000000 years'), ('interval', '-13 months 40 days 100 hours'), ('interval', '2147483647 days'), ('interval', '1 us'), ('interval', '-1 us'), ('interval', '2562047788:00:54.775807'),
  ('int4', '0'), ('int4', '1'), ('int4', '-60'), ('int4', '2147483647'), ('int4', '-2147483648'),
  ('float8', '0'), ('float8', '1.5'), ('float8', '-0.333'), ('float8', '1e300'), ('float8', 'NaN'), ('float8', '7');
call ask_operators('{date,timestamp,timestamptz}', '{date,timestamp,timestamptz}', 9, 9);
call ask_operators('{time}', '{time}', 5, 5);
call ask_operators('{interval}', '{interval}', 12, 12);
-- operators whose result is an interval, which ask_operators leaves out
insert into question(kind, name, types, vals, expr)
select 'op', '-', array[a.type, a.type], array[a.v, b.v], typed(a.v, a.type) || ' - ' || typed(b.v, a.type)
from val a, val b where a.type = b.type and a.type in ('timestamp', 'timestamptz', 'time') order by a.type, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'op', op, array['interval', 'interval'], array[a.v, b.v], typed(a.v, 'interval') || op || typed(b.v, 'interval')
from val a, val b, unnest(array['+', '-']) op where a.type = 'interval' and b.type = 'interval' order by op, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'op', op, array[a.type, 'interval'], array[a.v, b.v], typed(a.v, a.type) || op || typed(b.v, 'interval')
from val a, val b, unnest(array['+', '-']) op where a.type in ('date', 'timestamp', 'timestamptz', 'time') and b.type = 'interval' order by op, a.type, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'op', '+', array['interval', a.type], array[b.v, a.v], typed(b.v, 'interval') || '+' || typed(a.v, a.type)
from val a, val b where a.type in ('date', 'timestamp', 'timestamptz', 'time') and b.type = 'interval' and b.v in ('1 day', '1 month') order by a.type, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'op', op, array['interval', 'float8'], array[a.v, b.v], typed(a.v, 'interval') || op || typed(b.v, 'float8')
from val a, val b, unnest(array['*', '/']) op where a.type = 'interval' and b.type = 'float8' order by op, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'op', '*', array['float8', 'interval'], array[b.v, a.v], typed(b.v, 'float8') || '*' || typed(a.v, 'interval')
from val a, val b where a.type = 'interval' and b.type = 'float8' and b.v = '1.5' order by a.v;
insert into question(kind, name, types, vals, expr)
select 'op', op, array['date', 'int4'], array[a.v, b.v], typed(a.v, 'date') || op || typed(b.v, 'int4')
from val a, val b, unnest(array['+', '-']) op where a.type = 'date' and b.type = 'int4' order by op, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'op', '+', array['int4', 'date'], array['7', a.v], '7 + ' || typed(a.v, 'date') from val a where a.type = 'date';
insert into question(kind, name, types, vals, expr)
select 'op', '+', array['date', 'time'], array[a.v, b.v], typed(a.v, 'date') || '+' || typed(b.v, 'time') from val a, val b where a.type = 'date' and b.type = 'time';
insert into question(kind, name, types, vals, expr)
select 'op', '-', array['interval'], array[a.v], '-' || typed(a.v, 'interval') from val a where a.type = 'interval';
call ask_casts('{date,timestamp,timestamptz,time,interval}');
-- PostgreSQL 15 takes infinity for a number here; that is not asked.
insert into question(kind, name, types, vals, expr)
select 'fn', 'age', array[a.type, a.type], array[a.v, b.v], 'age(' || typed(a.v, a.type) || ',' || typed(b.v, a.type) || ')'
from val a, val b where a.type in ('timestamp', 'timestamptz') and b.type = a.type and a.v !~ 'infinity' and b.v !~ 'infinity' order by a.type, a.v, b.v;
insert into question(kind, name, types, vals, expr)
select 'fn', 'age', array['timestamp', 'timestamp'], array[a, b], 'age(' || typed(a, 'timestamp') || ',' || typed(b, 'timestamp') || ')'
from unnest(array['2024-03-31', '2024-02-29', '2024-01-31 12:00', '2023-12-01 23:00', '2020-02-29 01:02:03.5', '1957-06-13']) a, unnest(array['2024-03-31', '2024-02-29', '2024-01-31 12:00', '2023-12-01 23:00', '2020-02-29 01:02:03.5', '1957-06-13']) b;
create table func(f text, t text);
insert into func values ('isfinite', 'date'), ('isfinite', 'timestamp'), ('isfinite', 'timestamptz'), ('isfinite', 'interval'), ('justify_hours', 'interval'), ('justify_days', 'interval'), ('justify_interval', 'interval');
insert into question(kind, name, types, vals, expr) select 'fn', f, array[t], array[v], f || '(' || typed(v, t) || ')' from func, val where type = t;
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['interval'], array[v], f || '(' || typed(v, 'interval') || ')' from unnest(array['justify_hours', 'justify_days', 'justify_interval']) f,
  unnest(array['27 hours', '-27 hours', '35 days', '-35 days', '1 mon -1 hour', '-1 mon 1 hour', '1 mon -35 days 30 hours', '30 days 24 hours', '-30 days -24 hours', '2147483647 days 25 hours', '2147483647 months 31 days', '1 day -25 hours']) v;
-- parts
insert into question(kind, name, types, vals, expr)
select 'fn', 'extract', array['text', t], array[u, v.v], 'extract(' || quote_ident(u) || ' from ' || typed(v.v, t) || ')'
from unnest(array['microseconds', 'milliseconds', 'second', 'minute', 'hour', 'day', 'month', 'quarter', 'week', 'year', 'decade', 'century', 'millennium', 'julian', 'isoyear', 'dow', 'isodow', 'doy', 'epoch', 'timezone', 'timezone_hour', 'timezone_minute', 'fortnight', 'Year', 'years', 'h', 'j', 'now', 'today', 'infinity', 'jan', 'am', '']) u,
  unnest(array['date', 'timestamp', 'timestamptz', 'interval', 'time']) t, val v where v.type = t and u <> '' order by t, u, v.v;
insert into question(kind, name, types, vals, expr)
select 'fn', 'date_part', array['text', t], array[u, v.v], 'date_part(' || typed(u, 'text') || ', ' || typed(v.v, t) || ')'
from unnest(array['microseconds', 'milliseconds', 'second', 'minute', 'hour', 'day', 'month', 'week', 'year', 'julian', 'isoyear', 'dow', 'epoch', 'timezone', 'fortnight', '', 'DOY']) u,
  unnest(array['date', 'timestamp', 'timestamptz', 'interval', 'time']) t, val v where v.type = t and (t <> 'date' or v.v not like '5874897%' and v.v not like '294277%') order by t, u, v.v;
insert into question(kind, name, types, vals, expr)
select 'fn', 'date_trunc', array['text', t], array[u, v.v], 'date_trunc(' || typed(u, 'text') || ', ' || typed(v.v, t) || ')'
from unnest(array['microseconds', 'milliseconds', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'decade', 'century', 'millennium', 'epoch', 'dow', 'fortnight', 'Month', 'w']) u,
  unnest(array['timestamp', 'timestamptz', 'interval']) t, val v where v.type = t order by t, u, v.v;
insert into question(kind, name, types, vals, expr)
select 'fn', 'extract', array['text', 'date'], array[u, d::text], 'extract(' || u || ' from ' || typed(d::text, 'date') || ')'
from unnest(array['week', 'isoyear', 'isodow', 'doy', 'quarter']) u, (select date '2019-12-27' + i d from generate_series(0, 12) i union select date '2027-01-01' - i from generate_series(0, 6) i union select date '0001-01-03' - i from generate_series(0, 6) i) q;
insert into question(kind, name, types, vals, expr)
select 'fn', 'date_trunc', array['text', 'timestamptz', 'text'], array[u, v.v, z], 'date_trunc(' || typed(u, 'text') || ', ' || typed(v.v, 'timestamptz') || ', ' || typed(z, 'text') || ')'
from unnest(array['hour', 'day', 'week', 'year']) u, unnest(array['America/New_York', 'Asia/Kathmandu', 'Nowhere']) z, val v where v.type = 'timestamptz' order by u, z, v.v;
-- zones
insert into question(kind, name, types, vals, expr)
select 'fn', 'timezone', array['text', t], array[z, v.v], 'timezone(' || typed(z, 'text') || ', ' || typed(v.v, t) || ')'
from unnest(array['UTC', 'America/New_York', 'europe/berlin', 'EST', 'cest', 'MSK', 'EST5EDT', 'FOO+3', '<-03>+3', 'Nowhere', '', '-5', 'Etc/GMT+5']) z,
  unnest(array['timestamp', 'timestamptz']) t, val v where v.type = t order by t, z, v.v;
insert into question(kind, name, types, vals, expr)
select 'fn', 'timezone', array['interval', t], array[z, v.v], 'timezone(' || typed(z, 'interval') || ', ' || typed(v.v, t) || ')'
from unnest(array['5 hours', '-03:30:15.5', '1 day', '1 month']) z, unnest(array['timestamp', 'timestamptz']) t, val v where v.type = t order by t, z, v.v;
insert into question(kind, name, types, vals, expr)
select 'fn', 'timezone', array['text', 'timestamptz'], array[z, v], 'timezone(' || typed(z, 'text') || ', ' || typed(v, 'timestamptz') || ')'
from unnest(array['America/New_York', 'Europe/London', 'Europe/Dublin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Tehran', 'America/Godthab']) z,
  (select (timestamptz '1890-03-03 03:03+00' + i * interval '7 years 83 days 5 hours')::text from generate_series(0, 30) i) q(v);
insert into question(kind, name, types, vals, expr)
select 'fn', 'timezone', array['text', 'timestamp'], array[z, v], 'timezone(' || typed(z, 'text') || ', ' || typed(v, 'timestamp') || ')'
from unnest(array['America/New_York', 'Europe/London', 'Europe/Dublin', 'Australia/Lord_Howe', 'Pacific/Apia']) z,
  unnest(array['2024-03-10 01:59:59', '2024-03-10 02:00', '2024-03-10 02:59:59', '2024-03-10 03:00', '2024-11-03 00:59:59', '2024-11-03 01:00', '2024-11-03 01:59:59', '2024-11-03 02:00', '2024-03-31 01:30', '2024-10-27 01:30', '2024-04-07 01:45', '2024-10-06 02:15', '2011-12-30 12:00', '2045-03-26 01:30', '2045-10-29 01:30', '1883-11-18 12:02']) v;
-- making
call ask_function('make_date', '{int4,int4,int4}', '2024|2|29', '2023|2|29', '0|1|1', '-44|3|15', '2024|13|1', '2024|0|1', '2024|1|32', '5874897|12|31', '5874898|1|1', '-4714|11|24', '-4714|11|23', '2147483647|1|1', '-2147483648|1|1', '24|1|1');
call ask_function('make_time', '{int4,int4,float8}', '12|34|56.789', '24|0|0', '24|0|1', '23|59|60', '-1|0|0', '12|60|0', '12|0|61', '12|0|-1', '12|0|NaN', '1|2|3.45678912', '0|0|1e300', '12|0|59.9999999');
call ask_function('make_timestamp', '{int4,int4,int4,int4,int4,float8}', '2024|2|29|12|34|56.789', '2023|2|29|12|34|56', '2024|2|29|25|34|56', '0|2|29|12|34|56', '-1|2|28|12|34|56', '294277|1|1|0|0|0', '2024|1|1|24|0|0', '2024|1|1|12|0|60');
call ask_function('make_timestamptz', '{int4,int4,int4,int4,int4,float8}', '2024|2|29|12|34|56.789', '2024|13|1|0|0|0');
call ask_function('make_interval', '{int4,int4,int4,int4,int4,int4,float8}', '1|2|3|4|5|6|7.5', '0|0|0|0|0|0|0', '178956970|7|0|0|0|0|0', '-1|0|0|0|0|0|-0.5', '0|0|0|0|2147483647|0|0');
call ask_function('to_timestamp', '{float8}', '0', '1705320000.5', '-1', '1e12', '1e13', '-1e12', 'NaN', 'Infinity', '-Infinity', '0.0000005', '1234567890.123456', '-210866803200', '-210866803201', '9224318015999', '9224318016000');
call ask_aggregate('min', 'date', '2024-01-01|2023-01-01|\N', '\N', 'infinity|-infinity|2000-01-01');
call ask_aggregate('max', 'date', '2024-01-01|2023-01-01|\N', '\N', 'infinity|-infinity|2000-01-01');
call ask_aggregate('min', 'timestamp', '2024-01-01 01:00|2024-01-01|\N', '\N');
call ask_aggregate('max', 'timestamp', '2024-01-01 01:00|2024-01-01|\N', '\N');
call ask_aggregate('min', 'timestamptz', '2024-01-01 01:00|2024-01-01 01:00+01|\N', '\N');
call ask_aggregate('max', 'timestamptz', '2024-01-01 01:00|2024-01-01 01:00-01|\N', '\N');
call ask_aggregate('min', 'time', '01:00|02:00|\N', '\N');
call ask_aggregate('max', 'time', '01:00|24:00|\N', '\N');
call ask_aggregate('min', 'interval', '1 month|29 days|\N', '\N', '1 month|30 days');
call ask_aggregate('max', 'interval', '1 month|31 days|\N', '\N', '1 month|30 days', '30 days|1 month');
call ask_aggregate('sum', 'interval', '1 month|31 days|\N', '\N', '2147483647 days|1 day');
call ask_aggregate('avg', 'interval', '1 month|31 days|\N', '\N', '1 hour|2 hours', '1 day|2 days|2 days');
-- other settings
create function setting(setting text, value text) returns void language sql as $$
  insert into question(kind, name, types, vals) values ('setting', setting, '{text}', array[value]) $$;
create procedure ask_styled() language sql as $$
  insert into question(kind, name, types, vals) select 'in', t, array[t], array['-1', v] from unnest(array['date', 'timestamp', 'timestamptz']) t,
    unnest(array['2024-02-29', '2024-02-29 12:34:56.789', '0044-03-15 12:00 BC', 'infinity', '01/02/03', '13/02/2003', '02/13/2003', '1-2-3', '1 2 3', 'Jan 2 3', '2 Jan 3', '3 Jan 2', '31.12.2024', '2024-07-01 12:00', '2024-07-01 12:00+00', '2024-03-10 02:30', '2024-11-03 01:30', '1900-01-01 00:00', '1850-01-01 12:00', '2060-07-01 12:00', 'Sat Mar 15 12:00:00 2024', 'yy-01-02', '99-01-02', '24-13-01', '2024-07-01 12:00 BC', '294276-12-31 23:59:59', '4714-11-24 BC']) v $$;
do $$ declare s text; z text; begin
  foreach z in array array['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', '<-05>+05'] loop
    perform golden.setting('timezone', z);
    foreach s in array array['ISO, MDY', 'ISO, DMY', 'ISO, YMD', 'SQL, MDY', 'SQL, DMY', 'Postgres, MDY', 'Postgres, DMY', 'German, DMY'] loop
      perform golden.setting('datestyle', s);
      call ask_styled();
    end loop;
  end loop;
end $$;
select setting('datestyle', 'ISO, MDY') is null as x \gset
do $$ declare z text; begin
  foreach z in array array['America/New_York', 'Australia/Lord_Howe'] loop
    perform golden.setting('timezone', z);
    call ask_casts('{date,timestamp,timestamptz,time}');
    insert into question(kind, name, types, vals, expr)
    select 'op', op, array['timestamptz', 'interval'], array[a.v, b], typed(a.v, 'timestamptz') || op || typed(b, 'interval')
    from val a, unnest(array['1 day', '24 hours', '1 month', '-1 month 1 day', '1 year -1 us', '6 months']) b, unnest(array['+', '-']) op where a.type = 'timestamptz' order by op, a.v, b;
    insert into question(kind, name, types, vals, expr)
    select 'op', op, array[a.type, b.type], array[a.v, b.v], typed(a.v, a.type) || op || typed(b.v, b.type)
    from val a, val b, unnest(array['<', '=', '>=']) op where a.type in ('date', 'timestamp', 'timestamptz') and b.type in ('date', 'timestamp', 'timestamptz') and (a.type = 'timestamptz') <> (b.type = 'timestamptz') order by op, a.type, a.v, b.type, b.v;
    insert into question(kind, name, types, vals, expr)
    select 'fn', f, array['text', 'timestamptz'], array[u, v.v], f || '(' || typed(u, 'text') || ', ' || typed(v.v, 'timestamptz') || ')'
    from unnest(array['date_part', 'date_trunc']) f, unnest(array['minute', 'hour', 'day', 'week', 'month', 'epoch', 'timezone', 'timezone_hour', 'timezone_minute', 'julian']) u, val v where v.type = 'timestamptz' order by f, u, v.v;
    insert into question(kind, name, types, vals, expr)
    select 'fn', 'age', array['timestamptz', 'timestamptz'], array[a.v, b.v], 'age(' || typed(a.v, 'timestamptz') || ',' || typed(b.v, 'timestamptz') || ')' from val a, val b where a.type = 'timestamptz' and b.type = 'timestamptz' and a.v !~ 'infinity' and b.v !~ 'infinity';
  end loop;
end $$;
select line from answered order by id;
