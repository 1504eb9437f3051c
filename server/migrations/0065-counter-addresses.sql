-- Withdrawals by user and address, for the detail of a withdrawal. They are kept only for users and addresses with more rows than
-- counter_limit.total_rows, the members of counter_address_scope. Smaller ones are read from the rows.
create table counter_address_delta (
  id bigint generated always as identity primary key,
  user_key bigint not null,
  agent_key bigint not null,
  address text not null,
  network text not null,
  market_id bigint not null,
  -- 1 for a new row, -1 for a removed one, which only corrections by hand cause.
  n bigint not null,
  amount numeric(60, 18) not null,
  at bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0);

-- Each row names a user or an address.
create table counter_address_scope (user_key bigint unique, address text unique, check (num_nonnulls(user_key, address) = 1));

create table counter_address (
  user_key bigint not null,
  address text not null,
  network text not null,
  market_id bigint not null,
  agent_key bigint not null,
  n bigint not null,
  amount numeric(60, 18) not null,
  -- The first and the last row.
  lo bigint not null,
  hi bigint not null,
  primary key (user_key, address, network, market_id)
);
create index counter_address_last on counter_address (user_key, hi desc);
create index counter_address_users on counter_address (address, agent_key, user_key);

grant select on counter_address_delta, counter_address_scope, counter_address to {{app}};
do $$
declare
  t text;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  in_tree constant text := format(
    $q$(get_bit((select %1$s), least(greatest(%%1$s, 0), (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
begin
  foreach t in array array['counter_address_delta', 'counter_address_scope', 'counter_address'] loop
    execute format('alter table %I enable row level security', t);
    execute format($q$create policy everything on %I for select using ((select current_setting('app.scope', true)) = 'all')$q$, t);
  end loop;
  foreach t in array array['counter_address_delta', 'counter_address'] loop
    execute format('create policy own_tree on %I for select using (%s)', t, format(in_tree, 'agent_key'));
  end loop;
end
$$;

create function count_addresses() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counter_address_delta (user_key, agent_key, address, network, market_id, n, amount, at)
    select user_id, agent_id, address, network, market_id, 1, amount, created_at from new_rows;
    return null;
  end if;
  insert into counter_address_delta (user_key, agent_key, address, network, market_id, n, amount, at)
  values (old.user_id, old.agent_id, old.address, old.network, old.market_id, -1, -old.amount, old.created_at);
  if tg_op = 'UPDATE' then
    insert into counter_address_delta (user_key, agent_key, address, network, market_id, n, amount, at)
    values (new.user_id, new.agent_id, new.address, new.network, new.market_id, 1, new.amount, new.created_at);
  end if;
  return null;
end $$;
create trigger count_address_insert after insert on withdraw referencing new table as new_rows for each statement
  when (not counters_paused()) execute function count_addresses();
-- Per row, because only such a trigger can leave out the updates of other columns: changes of state and agent cost nothing.
create trigger count_address_update after update of user_id, address, network, market_id, amount, created_at on withdraw for each row
  when (not counters_paused()) execute function count_addresses();
create trigger count_address_delete after delete on withdraw for each row
  when (not counters_paused()) execute function count_addresses();

create function move_addresses() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Compaction must not read the agent of the user while it changes.
  perform pg_advisory_xact_lock_shared(5300003);
  update counter_address set agent_key = new.agent_id where user_key = new.id;
  update counter_address_delta set agent_key = new.agent_id where user_key = new.id;
  return null;
end $$;
create trigger move_addresses after update of agent_id on users for each row
  when (old.agent_id <> new.agent_id and not counters_paused()) execute function move_addresses();

-- The totals of these users and addresses, computed from all rows but those of deltas.
create function compute_addresses(users bigint[], addresses text[]) returns setof counter_address language sql stable
set work_mem = '256MB' as $$
  select r.user_key, r.address, r.network, r.market_id, u.agent_id, sum(r.n), sum(r.amount), min(r.at), max(r.at)
  from (
    select user_id as user_key, address, network, market_id, 1 as n, amount, created_at as at from withdraw
    union all select user_key, address, network, market_id, -n, -amount, at from counter_address_delta
  ) r join users u on u.id = r.user_key
  where r.user_key = any(users) or r.address = any(addresses)
  group by r.user_key, r.address, r.network, r.market_id, u.agent_id having sum(r.n) > 0
$$;

-- Adds deltas to the totals. One transaction at a time; the others leave without doing anything.
create function compact_addresses() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  users bigint[];
  addresses text[];
  removed_users bigint[];
  removed_addresses text[];
  max_rows constant bigint := (select total_rows from counter_limit);
begin
  if not pg_try_advisory_xact_lock(5300003) then return; end if;
  with taken as (delete from counter_address_delta returning *),
  added as (
    insert into counter_address as t
    select d.user_key, d.address, d.network, d.market_id, u.agent_id, sum(d.n), sum(d.amount), min(d.at), max(d.at)
    from taken d join users u on u.id = d.user_key
    where d.user_key in (select s.user_key from counter_address_scope s) or d.address in (select s.address from counter_address_scope s)
    group by d.user_key, d.address, d.network, d.market_id, u.agent_id
    on conflict (user_key, address, network, market_id) do update
    set n = t.n + excluded.n, amount = t.amount + excluded.amount, lo = least(t.lo, excluded.lo), hi = greatest(t.hi, excluded.hi)
  )
  select array_agg(distinct user_key), array_agg(distinct address), coalesce(array_agg(distinct user_key) filter (where n < 0), '{}'),
    coalesce(array_agg(distinct address) filter (where n < 0), '{}')
  into users, addresses, removed_users, removed_addresses from taken;
  -- Users and addresses that have grown are computed from the rows, and those that have lost rows, with which the times change.
  users := array(select k from unnest(users) k where exists (select from counter_address_scope where user_key = k) and k = any(removed_users)
    or not exists (select from counter_address_scope where user_key = k)
    and (select count(*) from (select from withdraw where user_id = k limit max_rows + 1) r) > max_rows);
  addresses := array(select k from unnest(addresses) k where exists (select from counter_address_scope where address = k) and k = any(removed_addresses)
    or not exists (select from counter_address_scope where address = k)
    and (select count(*) from (select from withdraw where address = k limit max_rows + 1) r) > max_rows);
  if users = '{}' and addresses = '{}' then return; end if;
  insert into counter_address_scope select k, null from unnest(users) k on conflict do nothing;
  insert into counter_address_scope select null, k from unnest(addresses) k on conflict do nothing;
  delete from counter_address where user_key = any(users) or address = any(addresses);
  insert into counter_address select * from compute_addresses(users, addresses);
end $$;

-- Recomputes everything from the rows.
create function rebuild_addresses() returns void language plpgsql set work_mem = '256MB' as $$
begin
  perform pg_advisory_xact_lock(5300003);
  delete from counter_address;
  delete from counter_address_scope;
  insert into counter_address_scope
  select user_id, null from withdraw group by user_id having count(*) > (select total_rows from counter_limit)
  union all
  select null, address from withdraw group by address having count(*) > (select total_rows from counter_limit);
  insert into counter_address
  select c.* from compute_addresses(array(select user_key from counter_address_scope where user_key is not null),
    array(select address from counter_address_scope where address is not null)) c;
end $$;

-- The totals that differ from the rows, at most 20. The times of pending deltas are added on both sides.
create function check_addresses() returns table (place text, counted text, rows text) language sql stable as $$
  with found as (
    select t.user_key, t.address, t.network, t.market_id, t.agent_key, t.n, t.amount, least(t.lo, d.lo) as lo, greatest(t.hi, d.hi) as hi
    from counter_address t left join (
      select user_key, address, network, market_id, min(at) as lo, max(at) as hi from counter_address_delta group by 1, 2, 3, 4
    ) d using (user_key, address, network, market_id)
  )
  select concat_ws(' ', 'user', user_key, 'address', address, network, 'market', market_id),
    concat_ws(' ', f.agent_key, f.n, f.amount, f.lo, f.hi), concat_ws(' ', e.agent_key, e.n, e.amount, e.lo, e.hi)
  from found f full join compute_addresses(array(select user_key from counter_address_scope where user_key is not null),
    array(select address from counter_address_scope where address is not null)) e using (user_key, address, network, market_id)
  where (f.agent_key, f.n, f.amount, f.lo, f.hi) is distinct from (e.agent_key, e.n, e.amount, e.lo, e.hi)
  order by 1 limit 20
$$;

create function user_in_scope(of_user bigint) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select current_setting('app.scope', true) = 'all' or exists (
    select from users u cross join (select nullif(current_setting('app.tree', true), '')::bytea as tree) scope
    where u.id = of_user and get_bit(tree, least(u.agent_id, octet_length(tree)::bigint * 8 - 1)) <> 0)
$$;

-- The pending deltas of a user of the operator's tree. After a move of the user they have two agents, one of which can be outside.
create function deltas_of_user(of_resource smallint, of_user bigint) returns setof counter_delta language sql stable security definer
set search_path = public, pg_temp as $$
  select d.* from counter_delta d where d.resource = of_resource and d.user_key = of_user and user_in_scope(of_user)
$$;

create function has_counters(of_resource smallint, of_user bigint) returns boolean language plpgsql stable security definer
set search_path = public, pg_temp as $$
begin
  return exists (select from counter_scope s where s.resource = of_resource and s.kind = 3 and s.key = of_user and s.level > 0);
end $$;

-- The totals of a user with counters. A function, because its plan costs nothing for the users without counters.
create function sums_of_user(of_resource smallint, of_user bigint)
returns table (dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric) language sql stable security definer
set search_path = public, pg_temp as $$
  select c.dims, c.market_id, c.n, c.s1, c.s2 from counter c
  where c.resource = of_resource and c.kind = 3 and c.key = of_user and c.block = -1 and user_in_scope(of_user)
  union all
  select d.dims, d.market_id, d.n, d.s1, d.s2 from deltas_of_user(of_resource, of_user) d
$$;

-- Whether the totals of a user or an address are up to date with pending deltas. A pending removal can change the times.
create function has_address_totals(of_user bigint, of_address text) returns boolean language sql stable security definer
set search_path = public, pg_temp as $$
  select exists (select from counter_address_scope where user_key = of_user or address = of_address)
    and not exists (select from counter_address_delta where n < 0 and (user_key = of_user or address = of_address))
$$;

revoke execute on function has_address_totals, has_counters, user_in_scope, deltas_of_user, sums_of_user, compute_addresses, compact_addresses, rebuild_addresses, check_addresses from public;
grant execute on function compact_addresses, has_address_totals, has_counters, deltas_of_user, sums_of_user to {{app}};
select rebuild_addresses();

-- Subscriptions, for the detail of one. Compaction adds the existing rows.
select count_table('ieo', 5::smallint, 15::smallint, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key, array[r.state::int] as dims, r.market_id, 1 as n, r.amount as s1,
    r.pay as s2, 0::numeric as s3, r.created_at as at
  from {rows} r$$);
insert into counter_delta (resource, agent_key, user_key, block, dims, market_id, n, s1, s2, s3, lo, hi)
select resource, agent_key, user_key, block, dims, market_id, sum(n), sum(s1), sum(s2), sum(s3), min(at), max(at)
from counted_rows where resource = 5 group by resource, agent_key, user_key, block, dims, market_id;
