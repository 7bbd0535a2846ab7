-- golden_common.sql — how a question is put to PostgreSQL and its answer written down.
--
-- A line of golden/*.tsv, in COPY's text format:
--   kind  name  types (joined by commas)  answer  values…
-- kind: in (name is the type; values: modifier, text), op, cast, fn, agg, set (rows joined by commas),
--       setting (name and value, for all that follows; the answer is "set").
-- answer: "= text" (of kind in: text, a space, the binary form in hex), "null", or
--         "! SQLSTATE message".
\pset format unaligned
\pset tuples_only on
set client_min_messages = error;
drop schema if exists golden cascade;
create schema golden;
set search_path = golden, pg_catalog;

create table question(id serial, kind text, name text, types text[], vals text[], expr text);
create table val(type text, v text);

create function ask(expr text) returns text language plpgsql as $$
declare answer text;
begin
  execute 'select case when x is null then ''null'' else ''= '' || format(''%s'', x) end from (select '
          || expr || ' as x) q' into answer;
  return answer;
exception when others then
  return '! ' || sqlstate || ' ' || sqlerrm;
end $$;

create function ask_in(type text, modifier int, v text) returns text language plpgsql as $$
declare answer text;
declare sender text := case type when 'char' then 'charsend' when 'date' then 'date_send'
  when 'timestamp' then 'timestamp_send' when 'timestamptz' then 'timestamptz_send'
  when 'time' then 'time_send' when 'numeric' then 'numeric_send' when 'interval' then 'interval_send'
  else type || 'send' end;
begin
  if type like '\_%' or type like '%vector' then
    execute format('select format(''= %%s %%s'', x, encode(%ssend(x), ''hex'')) from (select %L::%I as x) q',
                   case when type like '\_%' then 'array_' else type end, v, type) into answer;
    return answer;
  end if;
  execute format('select format(''= %%s %%s'', x, encode(%s(x), ''hex'')) from (select %s(%L%s) as x) q',
                 sender, case type when 'char' then 'charin' when 'date' then 'date_in'
                 when 'timestamp' then 'timestamp_in' when 'timestamptz' then 'timestamptz_in'
                 when 'time' then 'time_in' when 'numeric' then 'numeric_in'
                 when 'interval' then 'interval_in' else type || 'in' end, v,
                 case when type in ('numeric', 'varchar', 'bpchar', 'date', 'timestamp', 'timestamptz', 'time', 'interval')
                   and type <> 'date' then ', 0, ' || modifier else '' end)
    into answer;
  return answer;
exception when others then
  return '! ' || sqlstate || ' ' || sqlerrm;
end $$;

create function typed(v text, type text) returns text language sql as $$
  select coalesce(quote_literal(v), 'null') || '::' || case type when 'char' then '"char"' else type end $$;

-- Every value of the types against every operator between them.
create procedure ask_operators(left_types text[], right_types text[], lefts int, rights int) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'op', oprname, array[l.typname, r.typname], array[a.v, b.v],
         typed(a.v, l.typname) || ' operator(pg_catalog.' || oprname || ') ' || typed(b.v, r.typname)
  from pg_operator o join pg_type l on l.oid = oprleft join pg_type r on r.oid = oprright,
       lateral (select v from val where type = l.typname limit lefts) a,
       lateral (select v from val where type = r.typname limit rights) b
  where l.typname = any (left_types) and r.typname = any (right_types) and o.oprnamespace = 11
    and oprname not in ('@@', '^@', '||/', '|/', '@', '~', '!~', '~*', '!~*') and oprresult <> 1186
  order by oprname, l.typname, r.typname, a.v, b.v $$;

create procedure ask_prefix(op text, of_types text[]) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'op', op, array[type], array[v], 'operator(pg_catalog.' || op || ') ' || typed(v, type)
  from val where type = any (of_types) order by type, v $$;

create procedure ask_casts(of_types text[]) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'cast', '-', array[s.typname, t.typname], array[v],
         'cast(' || typed(v, s.typname) || ' as ' || case t.typname when 'char' then '"char"' else t.typname end || ')'
  from pg_cast join pg_type s on s.oid = castsource join pg_type t on t.oid = casttarget
       join val on type = s.typname
  where s.typname = any (of_types) and t.typname = any (of_types) and s.oid <> t.oid
  order by s.typname, t.typname, v $$;

create procedure ask_function(function text, arguments text[], variadic lists text[]) language sql as $$
  -- `lists`: one text per call, values separated by |; \N is NULL.
  insert into question(kind, name, types, vals, expr)
  select 'fn', function, arguments, parts,
         function || '(' || coalesce((select string_agg(typed(p, arguments[least(i, array_length(arguments, 1))]), ', ' order by i)
                             from unnest(parts) with ordinality u(p, i)), '') || ')'
  from unnest(lists) l, lateral (select string_to_array(l, '|', '\N') parts) x $$;

-- All pairs (or single values) of the arguments' value lists.
create procedure ask_function_all(function text, arguments text[]) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'fn', function, arguments, array[a.v] || case when array_length(arguments, 1) = 2 then array[b.v] else '{}' end,
         function || '(' || typed(a.v, arguments[1]) ||
         case when array_length(arguments, 1) = 2 then ', ' || typed(b.v, arguments[2]) else '' end || ')'
  from val a, (select v, type from val union all select null, null) b
  where a.type = arguments[1] and b.type is not distinct from arguments[2] order by a.v, b.v $$;

create procedure ask_aggregate(function text, argument text, variadic lists text[]) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'agg', function, array[argument], parts,
         '(select ' || function || '(x) from (values ' ||
         (select string_agg('(' || typed(p, argument) || ')', ', ' order by i) from unnest(parts) with ordinality u(p, i))
         || ') v(x))'
  from unnest(lists) l, lateral (select string_to_array(l, '|', '\N') parts) x $$;

create procedure ask_set(function text, arguments text[], variadic lists text[]) language sql as $$
  insert into question(kind, name, types, vals, expr)
  select 'set', function, arguments, parts,
         '(select string_agg(x::text, '','') from ' || function || '(' ||
         (select string_agg(typed(p, arguments[i]), ', ' order by i) from unnest(parts) with ordinality u(p, i)) || ') x)'
  from unnest(lists) l, lateral (select string_to_array(l, '|', '\N') parts) x $$;

create procedure ask_inputs(of_types text[], modifier int, inputs text[]) language sql as $$
  insert into question(kind, name, types, vals)
  select 'in', t, array[t], array[modifier::text, i] from unnest(of_types) t, unnest(inputs) i $$;

create function escaped(v text) returns text language sql as $$
  select coalesce(replace(replace(replace(replace(v, '\', '\\'), E'\t', '\t'), E'\n', '\n'), E'\r', '\r'), '\N') $$;

create view answered as
  select id, kind || E'\t' || name || E'\t' || array_to_string(types, ',') || E'\t' ||
         escaped(case kind when 'in' then ask_in(name, vals[1]::int, vals[2]) when 'setting' then left(set_config(name, vals[1], false), 0) || 'set' else ask(expr) end) ||
         coalesce((select string_agg(E'\t' || escaped(p), '' order by i) from unnest(vals) with ordinality u(p, i)), '') as line
  from (select * from question order by id offset 0) question;  -- settings count for what follows
