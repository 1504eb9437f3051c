-- no-transaction
-- Identity reviews by the customer's whole name, ignoring case; white space of any length is one space. As in 0012-search.sql, a
-- function of the owner reads the index: lower() is not leakproof, so row-level security would keep the planner from using it.
create index concurrently if not exists auth_name on auth
  (lower(btrim(regexp_replace(name, '[\s\u3000]+', ' ', 'g'))), agent_id, id);

-- The reviews of the caller's scope.
create or replace function find_identities(whole_name text) returns setof bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id from auth a
  where lower(btrim(regexp_replace(a.name, '[\s\u3000]+', ' ', 'g')))
      = lower(btrim(regexp_replace(whole_name, '[\s\u3000]+', ' ', 'g')))
    and (current_setting('app.scope', true) = 'all' or a.agent_id = any((select agents_in_scope())::bigint[]))
$$;
revoke execute on function find_identities from public;
grant execute on function find_identities to {{app}};
