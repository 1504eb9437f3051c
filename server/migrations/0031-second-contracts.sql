-- Second contracts. What becomes of one is computed by the database itself, from the tick record and the contract's own row:
-- the role that serves requests can neither write a price, a result nor an end, and no function takes one as an input.

create table second_config (
  id bigint generated always as identity primary key,
  -- Null: for every market that has none of its own for this length.
  market_id bigint references market (id),
  seconds integer not null check (seconds between 1 and 86400),
  payout_rate numeric(36, 18) not null check (payout_rate > 0 and payout_rate <= 100),
  min_amount numeric(36, 18) not null check (min_amount > 0),
  -- 0: no limit.
  max_amount numeric(36, 18) not null check (max_amount = 0 or max_amount >= min_amount),
  sort integer not null default 0,
  state smallint not null default 1 check (state in (0, 1)),
  version integer not null default 1,
  updated_by text,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create unique index second_config_length on second_config ((coalesce(market_id, 0)), seconds);

create table second_contract (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  -- 1: the price will be higher; 2: lower.
  side smallint not null check (side in (1, 2)),
  seconds integer not null check (seconds between 1 and 86400),
  -- The terms, as they were when it was opened: later settings change nothing about it.
  amount numeric(36, 18) not null check (amount > 0),
  payout_rate numeric(36, 18) not null check (payout_rate > 0 and payout_rate <= 100),
  -- 0: the setting's rate; 1: the user's own.
  tier smallint not null check (tier in (0, 1)),
  -- The profit if it wins, rounded down to what the settlement asset is counted in.
  payout numeric(36, 18) not null check (payout >= 0),
  config_id bigint not null,
  config_version integer not null,
  -- The latest that a tick may come after the moment which it decides, in milliseconds of tick time.
  tolerance bigint not null check (tolerance > 0),
  rule smallint not null default 1 check (rule = 1),
  settle_at bigint not null,
  -- From here on only the settlement writes.
  open_tick bigint,
  open_price numeric(36, 18),
  open_tick_at bigint,
  close_tick bigint,
  close_price numeric(36, 18),
  close_tick_at bigint,
  state smallint not null default 0 check (state in (0, 1, 2)),
  type smallint not null default 0 check (type in (0, 1, 2, 3)),
  profit numeric(36, 18),
  settled_at bigint,
  reason text not null default '',
  by_account text,
  second_by text,
  running smallint not null generated always as (case when state = 0 then 1 else 0 end) stored,
  -- What sums add up: a contract without a result has none.
  gained numeric(36, 18) not null generated always as (coalesce(profit, 0)) stored,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint second_contract_end check (settle_at = created_at + seconds * 1000::bigint),
  constraint second_contract_payout check (payout <= amount * payout_rate / 100),
  constraint second_contract_open check (
    (open_tick is null and open_price is null and open_tick_at is null)
    or (open_tick is not null and open_price is not null and open_tick_at between created_at and created_at + tolerance)),
  -- Nobody, not even the owner of the table, can record another outcome than the prices give.
  constraint second_contract_outcome check (case state
    when 1 then open_tick is not null and close_tick is not null and close_price is not null and settled_at is not null
      and close_tick_at between settle_at and settle_at + tolerance
      and type = case when close_price = open_price then 3 when (close_price > open_price) = (side = 1) then 1 else 2 end
      and profit = case type when 1 then payout when 2 then -amount else 0 end
      and by_account is null and second_by is null
    else close_tick is null and close_price is null and close_tick_at is null and type = 0 and profit is null
      and (settled_at is null) = (state = 0) and (state = 2 or (by_account is null and reason = '')) end)
);
create index second_contract_user on second_contract (user_id, id desc);
create index second_contract_agent on second_contract (agent_id, state, id desc);
create index second_contract_state on second_contract (state, id desc);
create index second_contract_due on second_contract (market_id, settle_at) where state = 0;
create index second_contract_opening on second_contract (market_id, created_at) where state = 0 and open_tick is null;

-- What operators were told about, so that they are told once: 1 an expiry second, 2 a whole market, 3 missing ticks.
create table second_alert (
  kind smallint not null check (kind in (1, 2, 3)),
  market_id bigint not null references market (id),
  -- The expiry second in unix milliseconds; 0 where it is about the market.
  at bigint not null,
  amount numeric(36, 18) not null,
  created_at bigint not null,
  primary key (kind, market_id, at)
);

-- Notes the opening price of contracts whose first tick has come. It says nothing about which: the tick record does.
create function open_seconds(ids bigint[], recorded bigint) returns bigint
language sql
security definer
set search_path = public, pg_temp
as $$
  with moved as (
    update second_contract c set open_tick = t.id, open_price = t.price, open_tick_at = t.at, updated_at = recorded
    from unnest(ids) as w (id)
    join second_contract o on o.id = w.id
    cross join lateral (
      select k.id, k.price, k.at from tick k where k.market_id = o.market_id and k.at >= o.created_at
      order by k.at, k.id limit 1) t
    where c.id = w.id and c.state = 0 and c.open_tick is null and t.at <= o.created_at + o.tolerance
    returning 1
  )
  select count(*) from moved;
$$;

-- Ends the contracts among these whose end the tick record already says. All that it takes is which ones to look at and
-- when that is noted; whoever calls it can at most call it late.
create function settle_seconds(ids bigint[], recorded bigint)
returns table (id bigint, state smallint, type smallint)
language sql
security definer
set search_path = public, pg_temp
as $$
  with found as (
    select c.id, c.side, c.amount, c.payout, o.id as open_tick, o.price as open_price, o.at as open_at, t.id as close_tick,
      t.price as close_price, t.at as close_at,
      o.at > c.created_at + c.tolerance as unopened, t.at > c.settle_at + c.tolerance as unclosed
    from unnest(ids) as w (id)
    join second_contract c on c.id = w.id and c.state = 0
    left join lateral (
      select k.id, k.price, k.at from tick k where k.market_id = c.market_id and k.at >= c.created_at
      order by k.at, k.id limit 1) o on true
    left join lateral (
      select k.id, k.price, k.at from tick k where k.market_id = c.market_id and k.at >= c.settle_at
      order by k.at, k.id limit 1) t on true
  ),
  judged as (
    select f.*, f.unopened or f.unclosed as void,
      case when f.close_price = f.open_price then 3 when (f.close_price > f.open_price) = (f.side = 1) then 1 else 2 end as result
    from found f where f.unopened or f.close_tick is not null
  )
  update second_contract c set
    state = case when j.void then 2 else 1 end,
    open_tick = case when j.unopened then null else j.open_tick end,
    open_price = case when j.unopened then null else j.open_price end,
    open_tick_at = case when j.unopened then null else j.open_at end,
    close_tick = case when j.void then null else j.close_tick end,
    close_price = case when j.void then null else j.close_price end,
    close_tick_at = case when j.void then null else j.close_at end,
    type = case when j.void then 0 else j.result end,
    profit = case when j.void then null when j.result = 1 then j.payout when j.result = 2 then -j.amount else 0 end,
    settled_at = least(case when j.unopened then j.open_at else j.close_at end, recorded),
    reason = case when j.unopened then '下单后的容许时间内没有行情' when j.unclosed then '到期后的容许时间内没有行情' else '' end,
    updated_at = recorded
  from judged j where c.id = j.id and c.state = 0
  returning c.id, c.state, c.type;
$$;

-- Voids a contract that runs, whatever it would come to; once its closing price is on record it cannot be voided any more,
-- or voiding would be choosing. It sees the rows that the caller's transaction sees.
create function void_second(contract bigint, why text, maker text, checker text, recorded bigint) returns bigint
language sql
security definer
set search_path = public, pg_temp
as $$
  with moved as (
    update second_contract c set state = 2, reason = why, by_account = maker, second_by = checker, settled_at = recorded,
      updated_at = recorded
    where c.id = contract and c.state = 0
      and not exists (select from tick k where k.market_id = c.market_id and k.at >= c.settle_at)
      and (current_setting('app.scope', true) = 'all'
        or c.agent_id = any (nullif(current_setting('app.agents', true), '')::bigint[]))
    returning c.id
  )
  select count(*) from moved;
$$;

revoke all on function open_seconds(bigint[], bigint) from public;
revoke all on function settle_seconds(bigint[], bigint) from public;
revoke all on function void_second(bigint, text, text, text, bigint) from public;
grant execute on function open_seconds(bigint[], bigint) to {{app}};
grant execute on function settle_seconds(bigint[], bigint) to {{app}};
grant execute on function void_second(bigint, text, text, text, bigint) to {{app}};

grant select, insert, delete on second_config to {{app}};
grant update (market_id, seconds, payout_rate, min_amount, max_amount, sort, state, version, updated_by, updated_at)
  on second_config to {{app}};
grant select, insert, delete on second_alert to {{app}};
-- Opened with its terms and nothing else; afterwards it only follows its user.
grant select on second_contract to {{app}};
grant insert (no, user_id, agent_id, market_id, side, seconds, amount, payout_rate, tier, payout, config_id, config_version,
  tolerance, settle_at, created_at, recorded_at, updated_at) on second_contract to {{app}};
grant update (agent_id) on second_contract to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  in_scope constant text := $q$agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
begin
  foreach t in array array['second_config', 'second_contract', 'second_alert'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  -- The terms are as public as the markets that they are of.
  execute format('create policy shared on second_config using (%s) with check (%s)', scope_set, scope_set);
  execute format('create policy own_tree on second_contract for select using (%s)', in_scope);
  execute format('create policy own_tree_update on second_contract for update using (%s)', in_scope);
  execute format('create policy own_tree_insert on second_contract for insert with check (%s)', in_scope);
end
$$;
-- Who sees a contract sees what the platform was told of it.
create policy own_seconds on command for select
  using (ref_type = 'second' and exists (select from second_contract c where c.id = ref_id));
