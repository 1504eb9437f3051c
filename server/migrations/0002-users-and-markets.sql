-- Users with what is kept about them, markets with their prices, and settings.

-- Customers of the platform ("user" is a reserved word of SQL).
create table users (
  id bigint generated always as identity primary key,
  account text not null check (account ~ '^[A-Za-z0-9._@+-]{2,64}$'),
  account_key text generated always as (lower(account)) stored,
  agent_id bigint not null references agent (id),
  remark text not null default '',
  state smallint not null default 1 check (state in (0, 1)),
  trade smallint not null default 1 check (trade in (0, 1)),
  ieo_buy smallint not null default 1 check (ieo_buy in (0, 1)),
  ieo_sell smallint not null default 1 check (ieo_sell in (0, 1)),
  ai smallint not null default 0 check (ai in (0, 1)),
  win_type smallint not null default 0 check (win_type in (0, 1)),
  win_rate numeric(36, 18) check (win_rate between 1 and 100),
  auth smallint not null default 0,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  last_login_at bigint,
  last_login_ip text,
  deleted_at bigint,
  -- Withdrawals wait until this time after an operator reset the user's password.
  payout_held_until bigint,
  unique (account_key)
);
create index users_agent on users (agent_id, id desc);
create index users_account on users (account_key text_pattern_ops);
create index users_created on users (created_at) include (agent_id) where deleted_at is null;
-- Counts the users of each agent by an index-only scan.
create index users_of_agent on users (agent_id) where deleted_at is null;
create index users_list on users (agent_id, id)
  include (state, auth, created_at) where deleted_at is null;

-- Changes of a customer's login or security settings that the platform reported.
create table credential_change (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  kind text not null,
  created_at bigint not null,
  recorded_at bigint not null
);
create index credential_change_user on credential_change (user_id, created_at desc);

-- Logins that the platform reported, kept for 180 days.
create table user_login (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  ip text not null,
  device text,
  created_at bigint not null,
  recorded_at bigint not null
);
create index user_login_user on user_login (user_id, created_at desc, id desc);
create index user_login_age on user_login (created_at);

-- Notes of operators about a user. The serving role can only add them.
create table user_note (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  text text not null,
  operator_id bigint not null references agent (id),
  created_at bigint not null,
  recorded_at bigint not null
);
create index user_note_user on user_note (user_id, id desc);
create index user_note_agent on user_note (agent_id, id desc);

-- Links into the platform's site as a user, valid once and for some minutes. The database holds only the SHA-256 of
-- their tokens.
create table support_link (
  hash text primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  operator_id bigint not null references agent (id),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index support_link_user on support_link (user_id);
create index support_link_age on support_link (expires_at);

-- Identity reviews (KYC). What the customer submitted never changes; a decision writes state, reason, operator and
-- time.
create table auth (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  name text not null,
  country text not null,
  id_type smallint not null check (id_type between 1 and 3),
  id_number text not null,
  -- For comparison: spellings that differ in punctuation or case are one number.
  id_key text generated always as (upper(regexp_replace(id_number, '[^[:alnum:]]', '', 'g'))) stored,
  level smallint not null check (level in (1, 2)),
  -- An image as a data: URL, or a URL of the platform; empty if there is none.
  front text not null default '',
  back text not null default '',
  holding text not null default '',
  state smallint not null check (state between 0 and 2),
  reason text not null default '',
  by_account text,
  reviewed_at bigint,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
-- One waiting review for each user: the platform names a review by the account alone.
create unique index auth_waiting on auth (user_id) where state = 0;
create index auth_user on auth (user_id, id desc);
create index auth_agent on auth (agent_id, state, id desc);
create index auth_state on auth (state, id desc);
create index auth_open on auth (agent_id) where state = 0;
create index auth_number on auth (id_key);

-- Images are compressed already, and lists read only their beginnings.
alter table auth alter column front set storage external, alter column back set storage external,
  alter column holding set storage external;

-- When an operator last opened the images of a review. Opening them is audited once, not for every image.
create table auth_look (
  operator_id bigint not null references agent (id),
  auth_id bigint not null references auth (id),
  looked_at bigint not null,
  primary key (operator_id, auth_id)
);

-- Markets and coins with their trading, fee and network settings. record_ticks() alone writes the prices.
create table market (
  id bigint generated by default as identity primary key,
  market_name text not null unique,
  icon text not null default '',
  spot smallint not null default 0,
  future smallint not null default 0,
  second smallint not null default 0,
  ieo smallint not null default 0,
  price_precision integer not null default 2,
  amount_precision integer not null default 8,
  min_amount numeric(36, 18) not null default 0,
  max_amount numeric(36, 18) not null default 0,
  maker_fee numeric(36, 18) not null default 0,
  taker_fee numeric(36, 18) not null default 0,
  max_leverage integer not null default 1,
  maintenance_rate numeric(36, 18) not null default 0,
  withdraw_fee numeric(36, 18) not null default 0,
  withdraw_min numeric(36, 18) not null default 0,
  withdraw_max numeric(36, 18) not null default 0,
  recharge_state smallint not null default 1,
  withdraw_state smallint not null default 1,
  networks jsonb not null default '[]',
  sort integer not null default 0,
  state smallint not null default 1 check (state in (0, 1, 2)),
  price numeric(36, 18),
  price_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  -- When price protection halted spot, futures or binary contracts; null while they trade.
  halted_at bigint,
  future_halted_at bigint,
  second_halted_at bigint,
  updated_by text
);

-- Traded prices, the only source of prices. Written only by record_ticks() and never changed.
create table tick (
  id bigint generated always as identity,
  market_id bigint not null references market (id),
  price numeric(36, 18) not null check (price > 0),
  volume numeric(36, 18),
  at bigint not null,
  recorded_at bigint not null,
  primary key (id)
);
create index tick_market on tick (market_id, at desc, id desc);

-- Ticks by minute and hour. A row is written once, when no further tick can fall into it.
create table candle (
  market_id bigint not null references market (id),
  -- Length in milliseconds.
  step bigint not null check (step in (60000, 3600000)),
  at bigint not null,
  open numeric(36, 18) not null,
  high numeric(36, 18) not null,
  low numeric(36, 18) not null,
  close numeric(36, 18) not null,
  volume numeric(36, 18),
  ticks bigint not null,
  primary key (market_id, step, at)
);

-- The only statement that writes a price. It runs as the owner, because the serving role may neither insert a tick nor
-- update the price columns.
create function record_ticks(markets bigint[], prices numeric[], volumes numeric[], times bigint[], recorded bigint)
returns void
language sql
security definer
set search_path = public, pg_temp
as $$
  with told as (
    select t.market_id, t.price, t.volume, t.at, t.n
    from unnest(markets, prices, volumes, times) with ordinality as t (market_id, price, volume, at, n)
  ),
  written as (
    insert into tick (market_id, price, volume, at, recorded_at)
    select market_id, price, volume, at, recorded from told order by n
  )
  update market m set price = l.price, price_at = l.at
  from (select distinct on (market_id) market_id, price, at from told order by market_id, n desc) l
  where m.id = l.market_id;
$$;

-- Value of an amount in the settlement asset at the last price. Null before the first tick, and if the value is larger
-- than an amount can be.
create function value_of(of_market bigint, amount numeric) returns numeric
language sql stable as $$
  select case when v.value < 1e18 then round(v.value, 18) end
  from (select amount * case when m.market_name = 'USDT' then 1 else m.price end as value from market m where m.id = of_market) v
$$;

-- Price protection: one plan for each market and kind of trading. Whether trading is halted is kept on the market.
create table plan (
  id bigint generated always as identity primary key,
  market_id bigint not null references market (id),
  -- 1 spot, 2 futures, 3 binary contracts.
  market_type smallint not null check (market_type in (1, 2, 3)),
  min_price numeric(36, 18) check (min_price > 0),
  max_price numeric(36, 18),
  plan_price numeric(36, 18),
  plan_minute integer not null default 15 check (plan_minute between 1 and 1440),
  -- 1: on; 0: off.
  watched smallint not null default 0 check (watched in (0, 1)),
  -- Whether the price was inside the band after the last trigger. Otherwise the plan does not trigger again.
  inside boolean not null default true,
  -- The last halt: when, by which price or operator, and until when.
  triggered_at bigint,
  trigger_price numeric(36, 18),
  halted_by text,
  resume_at bigint,
  updated_by text,
  version integer not null default 1,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  unique (market_id, market_type),
  check (watched = 0 or (min_price < plan_price and plan_price < max_price))
);
create index plan_resume on plan (resume_at) where resume_at is not null;

-- Operators besides those of full scope who may work with the plans of a market.
create table plan_grant (
  market_id bigint not null references market (id),
  operator_id bigint not null references agent (id),
  granted_by text not null,
  granted_at bigint not null,
  primary key (market_id, operator_id)
);
create index plan_grant_operator on plan_grant (operator_id, market_id);

-- Settings of the house.
create table config (
  id bigint generated always as identity primary key,
  key text not null unique,
  name text not null,
  group_name text not null,
  kind text not null check (kind in ('str', 'num', 'switch')),
  str text not null default '',
  num numeric(36, 18) not null default 0,
  state integer not null default 0,
  min numeric(36, 18),
  max numeric(36, 18),
  remark text not null default '',
  updated_at bigint not null,
  by_account text
);

-- Every value that a setting had: who changed it, when and why. Written with the change and never updated.
create table config_history (
  id bigint generated always as identity primary key,
  config_id bigint not null references config (id),
  before_str text not null,
  before_num numeric(36, 18) not null,
  before_state integer not null,
  after_str text not null,
  after_num numeric(36, 18) not null,
  after_state integer not null,
  by_account text not null,
  by_key text generated always as (lower(by_account)) stored,
  reason text not null default '',
  -- The change whose value this change restored.
  restored_id bigint references config_history (id),
  request_id text not null,
  created_at bigint not null,
  recorded_at bigint not null,
  loosens boolean not null default false
);
create index config_history_of on config_history (config_id, id desc);
create index config_history_at on config_history (created_at);

create function branch_of_user(member bigint) returns bigint
language sql stable security definer set search_path = public, pg_temp
as $$ select branch_of(u.agent_id) from users u where u.id = member $$;
