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
-- LIKE
insert into val values
  ('text', 'aXb'), ('text', 'a\'), ('text', '%'), ('text', '_'), ('text', '__'), ('text', 'a%'), ('text', '%a'), ('text', '%b%'), ('text', 'a_c'), ('text', '%äö_'), ('text', '\%'),
  ('text', 'a\%\_'), ('text', '%\'), ('text', '日_'), ('text', '%%'), ('text', 'abcabcabd'), ('text', '%abd'), ('text', 'a%c%d'), ('text', '_%_'), ('text', '%_a_%'), ('text', 'A'), ('text', 'ÄÖÜ'), ('text', 'ÄÖ%');
insert into question(kind, name, types, vals, expr)
select 'op', op, array[l.type, 'text'], array[l.v, r.v], typed(l.v, l.type) || ' operator(pg_catalog.' || op || ') ' || typed(r.v, 'text')
from unnest(array['~~', '!~~', '~~*', '!~~*', '^@', '||']) op,
     (select type, v, row_number() over (partition by type) n from val where type in ('text', 'name', 'bpchar')) l, (select v from val where type = 'text') r
where (op in ('~~', '~~*') and (l.type = 'text' or n <= 3) or n <= 4) and (op not in ('^@', '||') or l.type = 'text')
order by op, l.type, l.v, r.v;
insert into question(kind, name, types, vals, expr)
select 'op', op, array['bytea', 'bytea'], array[l, r], typed(l, 'bytea') || ' operator(pg_catalog.' || op || ') ' || typed(r, 'bytea')
from unnest(array['~~', '!~~', '||']) op, unnest(array['', 'abc', '\xff00', 'ä', 'a\\']) l, unnest(array['', '%', '_', '__', 'a%', '\xff%', '_\x00', 'a\\\\', 'x\\', '%\\']) r
where op <> '||' or length(r) < 3;
call ask_function('like_escape', '{text,text}', 'a%b|', 'a\b|', 'a!%b|!', 'a!!b\c|!', 'a\%b|\', 'a!\b|!', 'abc|xy', 'aä%b|ä', 'aää|ä', '|!', '!|!', '\|!', 'abc|日');
call ask_function('like_escape', '{bytea,bytea}', 'a%b|', 'a!%b!!|!', 'abc|xy');
call ask_function('like', '{text,text}', 'abc|a%', 'abc|b');
call ask_function('notlike', '{text,text}', 'abc|a%', 'abc|b');
-- one text
create table one(f text);
insert into one values ('length'), ('char_length'), ('octet_length'), ('bit_length'), ('lower'), ('upper'), ('initcap'), ('btrim'), ('ltrim'), ('rtrim'), ('reverse'), ('ascii'), ('md5'), ('quote_ident'), ('quote_literal'), ('quote_nullable');
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['text'], array[v], f || '(' || typed(v, 'text') || ')'
from one, (select v from val where type = 'text' union select unnest(array['Hello wORLD 1st 2ND', 'éCOLE à-la''mode', 'ǅungla ǆ Ǆ', 'İIıi', 'ΑΣ ας Σσς', 'ẞß ŉ ﬁ', 'ЖУК жук', 'ⅷ Ⅷ ⓐ Ⓐ', 'ﬀ Ａｂ', 'ა Ა Ⴀ ⴀ', 'x_y-z.a/b', '  pad  ', E'\ttab ', 'select', 'Select', 'abs', 'a1', '1a', 'a b', 'a"b', 'a''b', 'a\b', 'it''s \n', 'between', 'name', '_x', 'ä', '日本', '𝒜 𐐀 𐐨'])) s(v)
order by f, v;
call ask_function('length', '{bpchar}', 'ab  ', 'äö ', ' ');
call ask_function('char_length', '{bpchar}', 'ab  ');
call ask_function('octet_length', '{bpchar}', 'äb  ');
call ask_function('quote_nullable', '{text}', '\N');
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['text'], array[chr(c)], f || '(' || typed(chr(c), 'text') || ')' from unnest(array['lower', 'upper', 'initcap']) f,
  (select i * 7 + 161 c from generate_series(0, 160) i union select 7680 + i * 11 from generate_series(0, 50) i union select unnest(array[66560, 66600, 68736, 71840, 93760, 125184, 125218, 42560, 43888, 8490, 8486, 8491, 837, 953, 8126, 452, 453, 454, 498])) q
where c < 55296 or c > 57343 order by f, c;
-- two texts
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['text', 'text'], array[a, b], f || '(' || typed(a, 'text') || ', ' || typed(b, 'text') || ')'
from unnest(array['pg_catalog.position', 'strpos', 'starts_with', 'btrim', 'ltrim', 'rtrim']) f,
     unnest(array['', 'a', 'abcabc', 'äöüäö', 'xxabcxx', '  x ', '日本日']) a, unnest(array['', 'a', 'abc', 'äö', 'x', 'xa', 'c', ' ', '日', 'öüä', 'zzzzzzzzzzzz']) b;
-- texts and numbers
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['text', 'int4'], array[a, n::text], f || '(' || typed(a, 'text') || ', ' || typed(n::text, 'int4') || ')'
from unnest(array['left', 'right', 'substr', 'substring', 'lpad', 'rpad', 'repeat']) f, unnest(array['', 'abc', 'äöü日本', 'x']) a,
     unnest(array[0, 1, 2, 3, 4, 7, -1, -2, -5, -9]) n;
call ask_function('repeat', '{text,int4}', 'abc|2147483647', '|2147483647', 'ab|536870910', 'x|-2147483648', 'abcdefgh|268435456');
call ask_function('lpad', '{text,int4}', 'abc|2147483647', 'abc|268435455', '|1073741823');
call ask_function('rpad', '{text,int4,text}', 'abc|2147483647|', 'abc|2147483647|x', 'abc|7|xy', 'abc|8|xyz', 'abc|2|x', 'abc|6|äö', 'abc|7|äö', 'äöü|2|x', '|3|ab', 'abc|-1|x', 'abc|7|');
call ask_function('lpad', '{text,int4,text}', 'abc|2147483647|x', 'abc|7|xy', 'abc|8|xyz', 'abc|2|x', 'abc|6|äö', 'abc|7|äö', 'äöü|2|x', '|3|ab', 'abc|-1|x', 'abc|7|');
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['text', 'int4', 'int4'], array[a, n::text, m::text], f || '(' || typed(a, 'text') || ', ' || typed(n::text, 'int4') || ', ' || typed(m::text, 'int4') || ')'
from unnest(array['substr', 'substring']) f, unnest(array['', 'abcdef', 'äöü日本']) a, unnest(array[-3, 0, 1, 2, 5, 7, 2147483647, -2147483648]) n, unnest(array[-1, 0, 1, 3, 4, 2147483647]) m;
call ask_function('replace', '{text,text,text}', 'abcabc|b|X', 'abcabc|bc|', 'aaa|aa|b', '|a|b', 'abc||x', 'abc|x|', 'äöä|ä|aa', 'abc|abc|äöü', 'aaaa|a|aa');
call ask_function('overlay', '{text,text,int4}', 'abcdef|XY|2', 'abcdef|XY|6', 'abcdef|XY|9', 'abcdef|XY|0', 'äöüabc|日本|2', 'abc||2', 'abc|x|2147483647');
call ask_function('overlay', '{text,text,int4,int4}', 'abcdef|XY|2|3', 'abcdef|XY|2|0', 'abcdef|XY|2|-1', 'abcdef|XY|-1|2', 'abcdef|XY|2|99', 'abcdef|XY|3|2147483647');
call ask_function('translate', '{text,text,text}', 'abcabc|ab|XY', 'abcabc|abc|X', 'abc||x', '|a|b', 'äöü|öä|ox', 'aab|aa|xy', 'abc|bc|日');
insert into question(kind, name, types, vals, expr)
select 'fn', 'split_part', array['text', 'text', 'int4'], array[a, b, n::text], 'split_part(' || typed(a, 'text') || ', ' || typed(b, 'text') || ', ' || typed(n::text, 'int4') || ')'
from unnest(array['', 'a,b,c', 'a,,c', ',', 'abc', 'aäbäc']) a, unnest(array['', ',', ',,', 'ä', 'b']) b, unnest(array[0, 1, 2, 3, 4, -1, -2, -3, -4, 2147483647, -2147483648]) n;
call ask_function('chr', '{int4}', '65', '0', '-1', '228', '26085', '128512', '1114109', '1114112', '55295', '55296', '57343', '57344', '127', '2147483647');
call ask_function('to_hex', '{int4}', '0', '255', '-1', '2147483647', '-2147483648');
call ask_function('to_hex', '{int8}', '0', '255', '-1', '9223372036854775807');
call ask_function('concat', '{text,text,text}', 'a|b|c', 'a|\N|c', '\N|\N|\N', 'a|b|');
call ask_function('concat', '{text}', 'a', '\N');
call ask_function('concat_ws', '{text,text,text,text}', ',|a|b|c', ',|a|\N|c', '\N|a|b|c', ',|\N|\N|\N', '|a|b|c', ', |\N|b|', 'ä|x|y|z');
call ask_function('format', '{text}', 'abc', '%%', '%', '%s', 'a%%b', '\N', '%x', '%ä', '%1', '%-', '%*', '%1$');
call ask_function('format', '{text,text,text}', '%s %s|a|b', '%s|a|b', '%s %s %s|a|b', '%2$s %1$s|a|b', '%2$s %s|a|b', '%1$s %s|a|b', '%I %L|a b|it''s', '%I|\N|x', '%L|\N|x', '%s|\N|x',
  '[%10s]|abc|x', '[%-10s]|abc|x', '[%*s]|10|abc', '[%-*s]|10|abc', '[%*s]|-10|abc', '[%1$*2$s]|abc|10', '[%2$*1$s]|10|abc', '[%*1$s]|5|abc', '[%*0$s]|5|abc', '%0$s|a|b', '%3$s|a|b', '[%*s]|x|abc', '[%*s]|\N|abc', '[%*2147483648$s]|5|a',
  '%99999999999s|a|b', '[%5s]|äö|x', '[%-5I]|a b|x', '[%8L]|a\b|x', '%1$*s|5|a', '%d|a|b', '[%--5s]|a|b', '%-1$s|a|b', '[%5$s]|a|b', '%s %% %s|a|b');
-- byte strings
insert into question(kind, name, types, vals, expr)
select 'fn', f, array['bytea'], array[v], f || '(' || typed(v, 'bytea') || ')'
from unnest(array['length', 'octet_length', 'bit_length', 'bit_count', 'md5', 'sha224', 'sha256', 'sha384', 'sha512']) f,
     (select unnest(array['', 'a', '\x00ff10', 'abc', repeat('x', 55), repeat('x', 56), repeat('x', 63), repeat('x', 64), repeat('x', 65), repeat('y', 111), repeat('y', 112), repeat('y', 127), repeat('y', 128), repeat('z', 300)])) s(v);
call ask_function('get_byte', '{bytea,int4}', 'abc|0', 'abc|2', 'abc|3', 'abc|-1', '|0', '\xff|0');
call ask_function('set_byte', '{bytea,int4,int4}', 'abc|0|65', 'abc|2|255', 'abc|3|1', 'abc|1|256', 'abc|1|-1');
call ask_function('get_bit', '{bytea,int8}', 'abc|0', 'abc|6', 'abc|23', 'abc|24', 'abc|-1');
call ask_function('set_bit', '{bytea,int8,int4}', 'abc|0|0', 'abc|1|1', 'abc|23|1', 'abc|24|1', 'abc|1|2');
call ask_function('substr', '{bytea,int4}', 'abcdef|2', 'abcdef|0', 'abcdef|-5', 'abcdef|7', 'abcdef|-2147483648');
call ask_function('substring', '{bytea,int4,int4}', 'abcdef|2|3', 'abcdef|-1|3', 'abcdef|2|-1', 'abcdef|2|2147483647', '|1|1');
call ask_function('overlay', '{bytea,bytea,int4,int4}', 'abcdef|XY|2|3', 'abcdef|XY|0|3', 'abcdef|XY|9|1');
call ask_function('overlay', '{bytea,bytea,int4}', 'abcdef|XY|2', 'abcdef|XY|6');
call ask_function('pg_catalog.position', '{bytea,bytea}', 'abcabc|ca', 'abc|x', 'abc|', '|a');
call ask_function('btrim', '{bytea,bytea}', 'xxabxx|x', 'xyabyx|xy', 'abc|', '|x', 'xx|x');
call ask_function('ltrim', '{bytea,bytea}', 'xxabxx|x');
call ask_function('rtrim', '{bytea,bytea}', 'xxabxx|x');
insert into question(kind, name, types, vals, expr)
select 'fn', 'encode', array['bytea', 'text'], array[v, f], 'encode(' || typed(v, 'bytea') || ', ' || typed(f, 'text') || ')'
from unnest(array['', 'a', 'ab', 'abc', '\x00ff80', 'a\\b', repeat('x', 57), repeat('x', 58), repeat('x', 120)]) v, unnest(array['hex', 'base64', 'escape', 'HEX', 'bogus']) f;
insert into question(kind, name, types, vals, expr)
select 'fn', 'decode', array['text', 'text'], array[v, f], 'decode(' || typed(v, 'text') || ', ' || typed(f, 'text') || ')'
from unnest(array['', 'YQ==', 'YWI=', 'YWJj', 'YWJ', 'YW Jj', 'Y', '=', 'YQ=', 'ä', '61', '6', '6g', '61 62', 'a\\b', '\001', 'a\', 'YQ==YQ==', 'a-b_']) v, unnest(array['hex', 'base64', 'escape', 'bogus']) f;
call ask_function('convert_from', '{bytea,name}', 'abc|UTF8', '\xff|UTF8', '\xc3a4|utf-8', '\xc3|UTF8');
call ask_function('convert_to', '{text,name}', 'äbc|UTF8');
call ask_function('md5', '{text}', 'The quick brown fox');
select line from answered order by id;
