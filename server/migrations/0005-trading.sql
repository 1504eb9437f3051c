-- Orders, positions, contracts, subscriptions and signals.

-- Spot orders. What an order still holds follows from its own row, so that one conditional write decides state and
-- money: a limit purchase holds the price times the unfilled amount, a market purchase its unspent funds, a sale its
-- unsold amount.
create table trade_order (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  side smallint not null check (side in (1, 2)),
  type smallint not null check (type in (1, 2)),
  price numeric(36, 18) check (price > 0),
  amount numeric(36, 18) check (amount > 0),
  funds numeric(36, 18) check (funds > 0),
  filled numeric(36, 18) not null default 0 check (filled >= 0),
  turnover numeric(36, 18) not null default 0 check (turnover >= 0),
  fee numeric(36, 18) not null default 0 check (fee >= 0),
  fee_coin numeric(36, 18) not null generated always as (case when side = 1 then fee else 0 end) stored,
  fee_usdt numeric(36, 18) not null generated always as (case when side = 2 then fee else 0 end) stored,
  avg_price numeric(36, 18) generated always as (round(turnover / nullif(filled, 0), 18)) stored,
  frozen numeric(36, 18) not null check (frozen >= 0),
  state smallint not null check (state between 0 and 4),
  open smallint not null generated always as (case when state in (0, 1, 4) then 1 else 0 end) stored,
  by_account text,
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint trade_order_form check (
    case when type = 1 then price is not null and amount is not null and funds is null
      when side = 1 then price is null and amount is null and funds is not null
      else price is null and amount is not null and funds is null end),
  constraint trade_order_filled check (filled <= amount and (funds is null or turnover <= funds)),
  constraint trade_order_ended check ((state in (0, 1, 4)) or frozen = 0)
);
create index trade_order_user on trade_order (user_id, id desc);
create index trade_order_agent on trade_order (agent_id, state, id desc);
create index trade_order_state on trade_order (state, id desc);
create index trade_order_open on trade_order (market_id, agent_id) where state in (0, 1, 4);
create index trade_order_open_user on trade_order (user_id) where state in (0, 1, 4);

-- Executions of spot orders.
create table trade_fill (
  id bigint generated always as identity primary key,
  order_id bigint not null references trade_order (id),
  trade_no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  price numeric(36, 18) not null check (price > 0),
  amount numeric(36, 18) not null check (amount > 0),
  turnover numeric(36, 18) not null check (turnover >= 0),
  fee numeric(36, 18) not null check (fee >= 0),
  created_at bigint not null,
  recorded_at bigint not null
);
create index trade_fill_order on trade_fill (order_id, id desc);
create index trade_fill_user on trade_fill (user_id, id desc);
create index trade_fill_agent on trade_fill (agent_id);
-- For the figures of the home page.
create index trade_fill_created on trade_fill (created_at) include (agent_id, turnover);

-- Subscriptions to a token. What was requested never changes; a decision writes state, reason, operator and time.
create table ieo (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  -- The token. It is paid for in the settlement asset.
  market_id bigint not null references market (id),
  price numeric(36, 18) not null check (price > 0),
  amount numeric(36, 18) not null check (amount > 0),
  pay numeric(36, 18) not null,
  state smallint not null check (state between 0 and 3),
  reason text not null default '',
  by_account text,
  reviewed_at bigint,
  second_by text,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  -- Nothing is rounded: a product with more digits than an amount can hold is rejected.
  constraint ieo_pay_exact check (pay = price * amount)
);
create index ieo_user on ieo (user_id, id desc);
create index ieo_agent on ieo (agent_id, state, id desc);
create index ieo_state on ieo (state, id desc);
create index ieo_open on ieo (agent_id) where state = 0;
create index ieo_passed on ieo (reviewed_at) include (agent_id, pay) where state = 1;
create index ieo_open_user on ieo (user_id) where state = 0;

-- Futures: one row from the order to the end of its position. The margin of a position is in its own row, so that one
-- conditional write decides state and money. Demo rows look the same and move no money.
create table future_order (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  side smallint not null check (side in (1, 2)),
  type smallint not null check (type in (1, 2)),
  leverage integer not null check (leverage > 0),
  price numeric(36, 18) check (price > 0),
  amount numeric(36, 18) not null check (amount > 0),
  close_amount numeric(36, 18) not null default 0 check (close_amount >= 0),
  close_value numeric(36, 18) not null default 0 check (close_value >= 0),
  close_price numeric(36, 18) generated always as (round(close_value / nullif(close_amount, 0), 18)) stored,
  open_price numeric(36, 18) check (open_price > 0),
  margin numeric(36, 18) not null check (margin >= 0),
  held numeric(36, 18) not null check (held >= 0),
  realized numeric(36, 18) not null default 0,
  fee numeric(36, 18) not null default 0 check (fee >= 0),
  funding numeric(36, 18) not null default 0,
  insured numeric(36, 18) not null default 0 check (insured >= 0),
  take_profit numeric(36, 18) check (take_profit > 0),
  stop_loss numeric(36, 18) check (stop_loss > 0),
  close_type smallint check (close_type between 1 and 5),
  closing numeric(36, 18) check (closing > 0),
  state smallint not null check (state between 0 and 6),
  -- The state without pending requests: pending, open, or how it ended.
  stage smallint not null generated always as (case state when 5 then 0 when 6 then 1 else state end) stored,
  -- The amount that is open, or will be after the fill.
  rest numeric(36, 18) not null generated always as (case when state in (0, 1, 5, 6) then amount - close_amount else 0 end) stored,
  by_account text,
  reason text not null default '',
  created_at bigint not null,
  opened_at bigint,
  ended_at bigint,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint future_order_form check ((type = 1) = (price is not null)),
  constraint future_order_closed check (close_amount <= amount and (close_amount = 0 or open_price is not null)),
  constraint future_order_open check (state not in (1, 2, 4, 6) or (open_price is not null and opened_at is not null)),
  constraint future_order_closing check ((state = 6) = (closing is not null) and (closing is null or closing <= amount - close_amount)),
  constraint future_order_ended check ((state in (0, 1, 5, 6)) = (ended_at is null) and (ended_at is null or held = 0))
);
create index future_order_user on future_order (user_id, id desc);
create index future_order_agent on future_order (agent_id, stage, id desc);
create index future_order_stage on future_order (stage, id desc);
create index future_order_state on future_order (state, id desc) where state in (5, 6);
create index future_order_open on future_order (market_id, demo, agent_id) where state in (0, 1, 5, 6);
create index future_order_opened on future_order (opened_at) include (agent_id, open_price, amount) where demo = 0;
create index future_order_open_user on future_order (user_id) where state in (0, 1, 5, 6);

-- Closed parts of positions.
create table future_close (
  id bigint generated always as identity primary key,
  order_id bigint not null references future_order (id),
  close_no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  side smallint not null check (side in (1, 2)),
  leverage integer not null check (leverage > 0),
  amount numeric(36, 18) not null check (amount > 0),
  open_price numeric(36, 18) not null check (open_price > 0),
  price numeric(36, 18) not null check (price > 0),
  realized numeric(36, 18) not null,
  -- The margin of this part of the position.
  released numeric(36, 18) not null check (released >= 0),
  fee numeric(36, 18) not null check (fee >= 0),
  insured numeric(36, 18) not null check (insured >= 0),
  close_type smallint not null check (close_type between 1 and 5),
  created_at bigint not null,
  recorded_at bigint not null
);
create index future_close_order on future_close (order_id, id desc);
create index future_close_user on future_close (user_id, id desc);
create index future_close_agent on future_close (agent_id, id desc);
create index future_close_created on future_close (created_at) include (agent_id, price, amount, realized) where demo = 0;

-- Funding payments of positions.
create table future_funding (
  id bigint generated always as identity primary key,
  order_id bigint not null references future_order (id),
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  -- Negative if the user paid.
  amount numeric(36, 18) not null check (amount <> 0),
  from_margin numeric(36, 18) not null check (from_margin >= 0),
  insured numeric(36, 18) not null check (insured >= 0),
  created_at bigint not null,
  recorded_at bigint not null
);
create index future_funding_order on future_funding (order_id, id desc);
create index future_funding_user on future_funding (user_id, id desc);
create index future_funding_agent on future_funding (agent_id);

-- Terms of binary contracts, by market and length.
create table second_config (
  id bigint generated always as identity primary key,
  -- Null: for every market without a row of its own for this length.
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

-- Binary contracts. The functions below compute the result from the ticks and the contract's own row. The serving role
-- can write neither a price nor a result nor an end, and no function takes one as a parameter.
create table second_contract (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  -- 1: the price will be higher; 2: lower.
  side smallint not null check (side in (1, 2)),
  seconds integer not null check (seconds between 1 and 86400),
  -- The terms at the time of opening. Later settings do not change them.
  amount numeric(36, 18) not null check (amount > 0),
  payout_rate numeric(36, 18) not null check (payout_rate > 0 and payout_rate <= 100),
  -- 0: the rate of the setting; 1: the payout tier of the user.
  tier smallint not null check (tier in (0, 1)),
  -- The profit if the contract wins, rounded down to the precision of the settlement asset.
  payout numeric(36, 18) not null check (payout >= 0),
  config_id bigint not null,
  config_version integer not null,
  -- How long after opening or expiry a tick can still decide, in milliseconds of tick time.
  tolerance bigint not null check (tolerance > 0),
  rule smallint not null default 1 check (rule = 1),
  settle_at bigint not null,
  -- The columns from here to second_by are written only by the functions below.
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
  -- For sums: 0 without a result.
  gained numeric(36, 18) not null generated always as (coalesce(profit, 0)) stored,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint second_contract_end check (settle_at = created_at + seconds * 1000::bigint),
  constraint second_contract_payout check (payout <= amount * payout_rate / 100),
  constraint second_contract_open check (
    (open_tick is null and open_price is null and open_tick_at is null)
    or (open_tick is not null and open_price is not null and open_tick_at between created_at and created_at + tolerance)),
  -- No role, not even the owner of the table, can record an outcome that the prices do not give.
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
create index second_contract_created on second_contract (created_at) include (agent_id, amount) where state <> 2;
create index second_contract_settled on second_contract (settled_at) include (agent_id, profit) where state = 1;
create index second_contract_open_user on second_contract (user_id) where state = 0;

-- Alerts that operators received, so that each is sent once: 1 an expiry second, 2 a whole market, 3 missing ticks.
create table second_alert (
  kind smallint not null check (kind in (1, 2, 3)),
  market_id bigint not null references market (id),
  -- The expiry second in unix milliseconds; 0 for an alert about the market.
  at bigint not null,
  amount numeric(36, 18) not null,
  created_at bigint not null,
  primary key (kind, market_id, at)
);

-- Records the opening price of contracts whose first tick has come. The tick record decides which price that is.
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

-- Ends those of the contracts whose result the tick record decides. The caller names contracts and the time of
-- recording; it can only be late.
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

-- Voids a running contract. After its closing price is on record it cannot be voided, because that would choose the
-- outcome. The update is limited to the scope of the caller.
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
        or get_bit(nullif(current_setting('app.tree', true), '')::bytea,
          least(greatest(c.agent_id, 0), octet_length(nullif(current_setting('app.tree', true), '')::bytea)::bigint * 8 - 1)) <> 0)
    returning c.id
  )
  select count(*) from moved;
$$;

-- Trading signals, which operators publish for all users.
create table signal (
  id bigint generated always as identity primary key,
  no text not null generated always as ('S' || id::text) stored unique,
  title text not null check (title <> ''),
  title_key text generated always as (lower(title)) stored,
  market_id bigint not null references market (id),
  side smallint not null check (side in (1, 2)),
  leverage integer not null check (leverage > 0),
  price numeric(36, 18) not null check (price > 0),
  take_profit numeric(36, 18) check (take_profit > 0),
  stop_loss numeric(36, 18) check (stop_loss > 0),
  ratio numeric(36, 18) not null check (ratio > 0 and ratio <= 100),
  min_amount numeric(36, 18) not null check (min_amount > 0),
  max_amount numeric(36, 18) not null,
  start_at bigint not null,
  end_at bigint not null,
  state smallint not null check (state between 0 and 2),
  version integer not null default 1,
  by_account text,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  -- Whether the signal was ever running. A draft that was discarded has ended as well.
  published smallint not null default 0 check (published in (0, 1)),
  constraint signal_amounts check (max_amount >= min_amount),
  constraint signal_times check (end_at > start_at),
  constraint signal_prices check (case when side = 1 then coalesce(take_profit > price, true) and coalesce(stop_loss < price, true)
    else coalesce(take_profit < price, true) and coalesce(stop_loss > price, true) end)
);
create index signal_title on signal (title_key text_pattern_ops);
create index signal_state on signal (state, id desc);
create index signal_running on signal (end_at) where state = 1;

-- Users that follow a signal, with their stakes. The coin of the stake is kept beside the market that the signal
-- trades.
create table follow (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  signal_id bigint not null references signal (id),
  market_id bigint not null references market (id),
  coin_id bigint not null references market (id),
  amount numeric(36, 18) not null check (amount > 0),
  profit numeric(36, 18) not null default 0,
  auto smallint not null check (auto in (0, 1)),
  state smallint not null check (state between 1 and 3),
  closed_at bigint,
  by_account text,
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint follow_stake check (profit >= -amount),
  constraint follow_ended check ((state = 2) = (closed_at is not null) and (state = 2 or profit = 0))
);
create index follow_user on follow (user_id, id desc);
create index follow_agent on follow (agent_id, state, id desc);
create index follow_state on follow (state, id desc);
create index follow_signal on follow (signal_id, agent_id) include (state, amount, profit);
create index follow_open_user on follow (user_id) where state in (1, 3);
