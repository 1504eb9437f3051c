create table recharge (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  network text not null,
  address text not null,
  tx_hash text not null default '',
  amount numeric(36, 18) not null check (amount > 0),
  fee numeric(36, 18) not null default 0,
  confirmations integer not null default 0,
  source smallint not null,
  voucher text not null default '',
  state smallint not null check (state between 0 and 4),
  remark text not null default '',
  credited_at bigint,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index recharge_user on recharge (user_id, id desc);
create index recharge_agent on recharge (agent_id, state, id desc);

create table withdraw (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  network text not null,
  address text not null,
  memo text not null default '',
  amount numeric(36, 18) not null check (amount > 0),
  fee numeric(36, 18) not null check (fee >= 0),
  received numeric(36, 18) generated always as (amount - fee) stored,
  valuation numeric(36, 18),
  tx_hash text not null default '',
  attempt integer not null default 0,
  state smallint not null check (state between 0 and 9),
  reason text not null default '',
  by_account text,
  reviewed_at bigint,
  second_by text,
  risk text[] not null default '{}',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  check (fee < amount)
);
create index withdraw_state on withdraw (state, id desc);
create index withdraw_agent on withdraw (agent_id, state, id desc);
create index withdraw_user on withdraw (user_id, id desc);
create index withdraw_address on withdraw (address, user_id);
create index withdraw_hash on withdraw (tx_hash) where tx_hash <> '';

create table internal_transfer (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  to_user_id bigint not null references users (id),
  to_agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  platform smallint not null,
  to_platform smallint not null,
  amount numeric(36, 18) not null check (amount > 0),
  state smallint not null,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index internal_transfer_user on internal_transfer (user_id, id desc);
create index internal_transfer_to on internal_transfer (to_user_id, id desc);
create index internal_transfer_agent on internal_transfer (agent_id, id desc);

-- Things that need a person, and that no state of a row can show.
create table alarm (
  id bigint generated always as identity primary key,
  kind text not null,
  ref_type text not null,
  ref_id bigint not null,
  agent_id bigint,
  detail jsonb not null default '{}',
  created_at bigint not null,
  closed_at bigint
);
