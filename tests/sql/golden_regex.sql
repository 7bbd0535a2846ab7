-- golden_regex.sql — questions about plugins/sql/regex: every text against every pattern.
insert into question(kind, name, types, vals, expr)
select 'op', o, array['text','text'], array[t, p], typed(t, 'text') || ' ' || o || ' ' || typed(p, 'text')
from unnest('{~,!~,~*,!~*}'::text[]) o,
  unnest(array['', 'a', 'A', 'abc', 'xa.b', E'a\nb', 'pg_toast', 'pg_class', 'äöü', 'ÄÖÜ', 'a1b2', 'foo bar', '{a}', 'tab	x', '[x]', 'a-b', 'aaa', 'back\slash']) t,
  unnest(array['', 'a', '^a', 'a$', '^(a)$', '^(pg_toast)$', '^pg_', '^[[:alpha:]]+$', '\d', '\w+\s\w+', '[^a]', 'a.b', 'a\.b', '(a|b)c', 'a{2}', 'a{2,3}', 'a{4,}', '[a-c]{3}', 'ä', 'Ö',
    '(', ')', '[', 'a**', '*', '+a', 'a{2,1}', 'a{256}', '[b-a]', '[[:foo:]]', 'a(', 'a{1', '(?i)A', '***=a.b', '***:a', '[a', '(?:a|b)', 'a|', '\Aa', 'a\Z', '\x41', '\u0061', 'a*?b',
    '(?n)^b', '[[=a=]]', '[[.a.]]', '{', 'a{', '[\d]', '$', '[]x]', '[^]a]', 'a++', '\y[a-z]+\y', '\\', '[\s]', 'b+?', '[a\-b]', '[-x]', '\q', '[a-]', 'x]', '}', '(?q)a.b', '\B', '\w\w\w', '^\W', '[[:alnum:]]{3}', '[\w]b', '^[[:upper:]]', '\S\S', '\D\D']) p
order by o, p, t;
call ask_function('pg_catalog.nameregexeq', '{name,text}', 'pg_class|^(pg_.*)$', 'pg_class|^x', 'Ab|a');
call ask_function('pg_catalog.bpcharicregexne', '{bpchar,text}', 'ABC|b', 'ABC|d');
select line from answered order by id;
