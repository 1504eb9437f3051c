-- no-transaction
create index concurrently if not exists auth_unkeyed on auth (id) where number_key is null;
create index concurrently if not exists auth_number_key on auth (number_key, agent_id, id);
create index concurrently if not exists auth_name_key on auth (name_key, agent_id, id);

-- The newest reviews of the caller's scope with the keys of a name, a document number or both, and how many there are. A row
-- without keys yet is found by the number that the database made. auth_name of 0054 has no reader any more.
create or replace function find_identities(whole_name text, number text, most int) returns table (id bigint, total bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  with named as (
    select a.id, a.agent_id, a.number_key from auth a where a.name_key = whole_name
  ), found as (
    select n.id, n.agent_id from named n where number is null or n.number_key = number
    union all
    select a.id, a.agent_id from auth a
    where whole_name is null and (a.number_key = number or a.number_key is null and a.id_key = number)
  )
  select f.id, count(*) over () from found f
  where current_setting('app.scope', true) = 'all' or f.agent_id in (select unnest(agents_in_scope()))
  order by f.id desc limit most
$$;
drop index concurrently if exists auth_name;
