-- Requests that move money, and alarms.

-- Deposits.
create table recharge (
  id bigint generated always as identity,
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
  updated_at bigint not null,
  -- When the platform received the money. A held recharge is credited when it is released.
  arrived_at bigint,
  -- The operator who held the recharge; null if the platform did.
  held_by bigint references agent (id),
  primary key (id) include (agent_id, state, source)
);
create index recharge_agent on recharge (agent_id, state, id desc);
-- For the numbers of waiting records in the menu.
create index recharge_open on recharge (state, agent_id) where state in (0, 3);
-- For the figures of the home page: records since a time, however long the history is. The index has the agent, so
-- that a scope is filtered without reading the table.
create index recharge_credited on recharge (credited_at) include (agent_id, market_id, amount) where state = 1;
create index recharge_of_agent on recharge (agent_id, id)
  include (state, source, market_id, amount, created_at);
create index recharge_state on recharge (state, id desc);
create index recharge_address on recharge (address);
create index recharge_hash on recharge (tx_hash) where tx_hash <> '';
create index recharge_of_user on recharge (user_id, id desc)
  include (agent_id, state, source, market_id, amount, created_at);
create index recharge_coin on recharge (market_id, id);
create index recharge_by_source on recharge (source, id);
create index recharge_open_user on recharge (user_id) where state in (0, 3);

-- Withdrawals.
create table withdraw (
  id bigint generated always as identity,
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
  -- Not updated_at, which for an imported record is the time of the import.
  paid_at bigint,
  check (fee < amount),
  primary key (id) include (agent_id, state)
);
create index withdraw_state on withdraw (state, id desc);
create index withdraw_hash on withdraw (tx_hash) where tx_hash <> '';
create index withdraw_open on withdraw (state, agent_id) where state in (0, 1, 7, 8);
-- Totals, sums and pages of agents without counters, by an index-only scan.
create index withdraw_of_agent on withdraw (agent_id, id)
  include (state, market_id, amount, fee, received, created_at);
create index withdraw_of_user on withdraw (user_id, id desc)
  include (agent_id, state, market_id, amount, fee, received, created_at);
-- Withdrawals with a risk, whatever else is filtered or sorted by, by an index-only scan.
create index withdraw_risks on withdraw (id)
  include (risk, user_id, agent_id, state, market_id, amount, fee, received, valuation, reviewed_at, created_at)
  where risk <> '{}';
create index withdraw_coin on withdraw (market_id, id);
-- For the details of a user: withdrawals of a day, and open ones.
create index withdraw_user_state on withdraw (user_id, state, created_at);
-- For the details of a withdrawal: whether the address was paid, and who else used it.
create index withdraw_address_user on withdraw (address, user_id, state);
-- The times of a withdrawal follow its id closely, so that a summary of page ranges is enough.
create index withdraw_times on withdraw using brin (paid_at, reviewed_at)
  with (pages_per_range = 32, autosummarize = on);

-- Transfers between users and between the account types of one user.
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
create index internal_transfer_to_agent on internal_transfer (to_agent_id, id desc);

-- Manual changes of balances. The money is in the entries (ref_type 'adjustment'); this row says whether reports count
-- it as a recharge or withdrawal, who requested it and who approved it. action: 1 add, 2 subtract, 3 freeze, 4
-- release. Append-only, like the entries.
create table adjustment (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  platform smallint not null check (platform between 1 and 4),
  action smallint not null check (action between 1 and 4),
  amount numeric(36, 18) not null check (amount > 0),
  state smallint not null check (state in (0, 1)),
  reason text not null,
  operator_id bigint not null references agent (id),
  checker_id bigint references agent (id),
  created_at bigint not null,
  recorded_at bigint not null
);
create index adjustment_user on adjustment (user_id, id desc);
create index adjustment_agent on adjustment (agent_id, id desc);
create index adjustment_counted on adjustment (created_at) where state = 1 and action in (1, 2);

-- Conditions that need a person and that no state of a record shows.
create table alarm (
  id bigint generated always as identity primary key,
  kind text not null,
  ref_type text not null,
  ref_id bigint not null,
  agent_id bigint,
  detail jsonb not null default '{}',
  created_at bigint not null,
  closed_at bigint,
  user_id bigint references users (id),
  closed_by text,
  close_reason text not null default '',
  constraint alarm_closed_by_whom check ((closed_at is null) = (closed_by is null))
);
create index alarm_user on alarm (user_id);
create index alarm_open on alarm (agent_id) where closed_at is null;
create index alarm_id on alarm (agent_id, id desc);
