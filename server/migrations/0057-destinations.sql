-- Withdrawals and recharges keep the account and the beneficiary that their texts name, made by the server when they enter.
-- docs/destinations.md describes the keys. Rows without account_rules are to be keyed: older ones, and those that a server of the
-- last release writes meanwhile. The job destination-keys keys them.

-- The first lock may wait, the others must not: nobody waits for a table that this holds.
lock table withdraw in access exclusive mode;
lock table recharge, withdraw_fact, counter_address, counter_address_delta, counter_address_scope in access exclusive mode nowait;
lock table counter_source in share row exclusive mode nowait;
lock table entry, fund_check, users, ieo, counter_limit in access share mode nowait;

alter table withdraw
  add column account_key text,
  -- Empty: no memo, or one that means nothing.
  add column memo_key text,
  -- Account and memo.
  add column beneficiary text,
  -- What is wrong with the text of the address.
  add column address_faults text[],
  -- Version of the rules that made the keys; null: to be keyed.
  add column account_rules smallint;

alter table recharge
  add column memo text not null default '',
  -- Number of the output or event in its transaction.
  add column tx_index integer,
  add column account_key text,
  add column memo_key text,
  add column beneficiary text,
  add column address_faults text[],
  add column account_rules smallint;

alter table withdraw_fact add column risk_address_format boolean, add column risk_memo_missing boolean;

-- related_listed has its bit already, although no withdrawal has that risk yet.
select count_table('withdraw', s.resource, s.block_bits, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key,
    array[r.state, case when r.risk = '{}' then 0 else ('first_address' = any(r.risk))::int + 2 * ('shared_address' = any(r.risk))::int
      + 4 * ('over_limit' = any(r.risk))::int + 8 * ('credential_changed' = any(r.risk))::int
      + 16 * ('ledger_mismatch' = any(r.risk))::int + 32 * ('manual_balance' = any(r.risk))::int
      + 64 * ('address_format' = any(r.risk))::int + 128 * ('memo_missing' = any(r.risk))::int
      + 256 * ('related_listed' = any(r.risk))::int end] as dims,
    r.market_id, 1 as n, r.amount as s1, r.fee as s2, r.received as s3, r.created_at as at
  from {rows} r$$)
from counter_source s where s.table_name = 'withdraw';

-- The totals by address become totals by beneficiary. They grow again as rows are keyed; until then the rows are read. The
-- column address stays for servers of the last release, and as the text that is shown: one of those of the beneficiary.
truncate counter_address, counter_address_delta, counter_address_scope;
drop index counter_address_users;
alter table counter_address
  add column beneficiary text not null,
  add column memo text not null,
  drop constraint counter_address_pkey,
  add primary key (user_key, beneficiary, network, market_id);
create index counter_address_users on counter_address (beneficiary, agent_key, user_key);
alter table counter_address_delta add column beneficiary text not null, add column memo text not null;
alter table counter_address_scope rename column address to beneficiary;

-- Counts keyed withdrawals only.
create or replace function count_addresses() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counter_address_delta (user_key, agent_key, beneficiary, address, memo, network, market_id, n, amount, at)
    select user_id, agent_id, beneficiary, address, memo, network, market_id, 1, amount, created_at from new_rows
    where beneficiary is not null;
    return null;
  end if;
  if old.beneficiary is not null then
    insert into counter_address_delta (user_key, agent_key, beneficiary, address, memo, network, market_id, n, amount, at)
    values (old.user_id, old.agent_id, old.beneficiary, old.address, old.memo, old.network, old.market_id, -1, -old.amount, old.created_at);
  end if;
  if tg_op = 'UPDATE' and new.beneficiary is not null then
    insert into counter_address_delta (user_key, agent_key, beneficiary, address, memo, network, market_id, n, amount, at)
    values (new.user_id, new.agent_id, new.beneficiary, new.address, new.memo, new.network, new.market_id, 1, new.amount, new.created_at);
  end if;
  return null;
end $$;

create or replace trigger count_address_update
  after update of user_id, beneficiary, address, memo, network, market_id, amount, created_at on withdraw for each row
  when (not counters_paused()) execute function count_addresses();

drop function compute_addresses(bigint[], text[]);
-- The totals of these users and beneficiaries, computed from all keyed rows but those of deltas.
create function compute_addresses(users bigint[], beneficiaries text[]) returns setof counter_address language sql stable
set work_mem = '256MB' as $$
  select r.user_key, max(r.address), r.network, r.market_id, u.agent_id, sum(r.n), sum(r.amount), min(r.at), max(r.at), r.beneficiary, max(r.memo)
  from (
    select user_id as user_key, beneficiary, address, memo, network, market_id, 1 as n, amount, created_at as at from withdraw
    union all
    select user_key, beneficiary, address, memo, network, market_id, -n, -amount, at from counter_address_delta
  ) r join users u on u.id = r.user_key
  where r.beneficiary is not null and (r.user_key = any(users) or r.beneficiary = any(beneficiaries))
  group by r.user_key, r.beneficiary, r.network, r.market_id, u.agent_id having sum(r.n) > 0
$$;
revoke execute on function compute_addresses from public;

-- Adds deltas to the totals. One transaction at a time; the others leave without doing anything.
create or replace function compact_addresses() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  users bigint[];
  beneficiaries text[];
  removed_users bigint[];
  removed_beneficiaries text[];
  max_rows constant bigint := (select total_rows from counter_limit);
begin
  if not pg_try_advisory_xact_lock(5300003) then return; end if;
  with taken as (delete from counter_address_delta returning *),
  added as (
    insert into counter_address as t (user_key, address, network, market_id, agent_key, n, amount, lo, hi, beneficiary, memo)
    select d.user_key, max(d.address), d.network, d.market_id, u.agent_id, sum(d.n), sum(d.amount), min(d.at), max(d.at), d.beneficiary, max(d.memo)
    from taken d join users u on u.id = d.user_key
    where d.user_key in (select s.user_key from counter_address_scope s) or d.beneficiary in (select s.beneficiary from counter_address_scope s)
    group by d.user_key, d.beneficiary, d.network, d.market_id, u.agent_id
    on conflict (user_key, beneficiary, network, market_id) do update
    set n = t.n + excluded.n, amount = t.amount + excluded.amount, lo = least(t.lo, excluded.lo), hi = greatest(t.hi, excluded.hi)
  )
  select array_agg(distinct user_key), array_agg(distinct beneficiary), coalesce(array_agg(distinct user_key) filter (where n < 0), '{}'),
    coalesce(array_agg(distinct beneficiary) filter (where n < 0), '{}')
  into users, beneficiaries, removed_users, removed_beneficiaries from taken;
  -- Users and beneficiaries that have grown are computed from the rows, and those that have lost rows, with which the times change.
  users := array(select k from unnest(users) k where exists (select from counter_address_scope where user_key = k) and k = any(removed_users)
    or not exists (select from counter_address_scope where user_key = k)
    and (select count(*) from (select from withdraw where user_id = k limit max_rows + 1) r) > max_rows);
  beneficiaries := array(select k from unnest(beneficiaries) k
    where exists (select from counter_address_scope where beneficiary = k) and k = any(removed_beneficiaries)
    or not exists (select from counter_address_scope where beneficiary = k)
    and (select count(*) from (select from withdraw where beneficiary = k limit max_rows + 1) r) > max_rows);
  if users = '{}' and beneficiaries = '{}' then return; end if;
  insert into counter_address_scope select k, null from unnest(users) k on conflict do nothing;
  insert into counter_address_scope select null, k from unnest(beneficiaries) k on conflict do nothing;
  delete from counter_address where user_key = any(users) or beneficiary = any(beneficiaries);
  insert into counter_address select * from compute_addresses(users, beneficiaries);
end $$;

-- In the order of the primary key, so that few pages are written at a time.
create or replace function rebuild_addresses() returns void language plpgsql set work_mem = '256MB' as $$
begin
  perform pg_advisory_xact_lock(5300003);
  delete from counter_address;
  delete from counter_address_scope;
  insert into counter_address_scope
  select user_id, null from withdraw group by user_id having count(*) > (select total_rows from counter_limit)
  union all
  select null, beneficiary from withdraw where beneficiary is not null group by beneficiary
  having count(*) > (select total_rows from counter_limit);
  insert into counter_address
  select c.* from compute_addresses(array(select user_key from counter_address_scope where user_key is not null),
    array(select beneficiary from counter_address_scope where beneficiary is not null)) c
  order by user_key, beneficiary;
end $$;

-- The totals that differ from the rows, at most 20. The times of pending deltas are added on both sides.
create or replace function check_addresses() returns table (place text, counted text, rows text) language sql stable as $$
  with found as (
    select t.user_key, t.beneficiary, t.network, t.market_id, t.agent_key, t.n, t.amount, least(t.lo, d.lo) as lo, greatest(t.hi, d.hi) as hi
    from counter_address t left join (
      select user_key, beneficiary, network, market_id, min(at) as lo, max(at) as hi from counter_address_delta group by 1, 2, 3, 4
    ) d using (user_key, beneficiary, network, market_id)
  )
  select concat_ws(' ', 'user', user_key, 'beneficiary', beneficiary, network, 'market', market_id),
    concat_ws(' ', f.agent_key, f.n, f.amount, f.lo, f.hi), concat_ws(' ', e.agent_key, e.n, e.amount, e.lo, e.hi)
  from found f full join compute_addresses(array(select user_key from counter_address_scope where user_key is not null),
    array(select beneficiary from counter_address_scope where beneficiary is not null)) e using (user_key, beneficiary, network, market_id)
  where (f.agent_key, f.n, f.amount, f.lo, f.hi) is distinct from (e.agent_key, e.n, e.amount, e.lo, e.hi)
  order by 1 limit 20
$$;

drop function has_address_totals(bigint, text);
-- Whether the totals of a user or a beneficiary are up to date with pending deltas. A pending removal can change the times.
create function has_address_totals(of_user bigint, of_beneficiary text) returns boolean language sql stable security definer
set search_path = public, pg_temp as $$
  select exists (select from counter_address_scope where user_key = of_user or beneficiary = of_beneficiary)
    and not exists (select from counter_address_delta where n < 0 and (user_key = of_user or beneficiary = of_beneficiary))
$$;
revoke execute on function has_address_totals from public;
grant execute on function has_address_totals to {{app}};
