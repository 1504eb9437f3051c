-- no-transaction
-- Identity reviews by the customer's whole name, ignoring case; white space of any length is one space. As in 0012-search.sql, a
-- function of the owner reads the index: lower() is not leakproof, so row-level security would keep the planner from using it.
create index concurrently if not exists auth_name on auth
  (lower(btrim(regexp_replace(name, '[\s\u3000]+', ' ', 'g'))), agent_id, id);

-- The newest reviews of the caller's scope with a name, a document number or both, and how many there are.
create or replace function find_identities(whole_name text, number text, most int) returns table (id bigint, total bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  with named as (
    select a.id, a.agent_id, a.id_key from auth a
    where lower(btrim(regexp_replace(a.name, '[\s\u3000]+', ' ', 'g')))
      = lower(btrim(regexp_replace(whole_name, '[\s\u3000]+', ' ', 'g')))
  ), found as (
    select n.id, n.agent_id from named n where number is null or n.id_key = number
    union all
    select a.id, a.agent_id from auth a where whole_name is null and a.id_key = number
  )
  select f.id, count(*) over () from found f
  where current_setting('app.scope', true) = 'all' or f.agent_id in (select unnest(agents_in_scope()))
  order by f.id desc limit most
$$;
revoke execute on function find_identities from public;
grant execute on function find_identities to {{app}};
