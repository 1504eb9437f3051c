lock table chain_move in share mode;
lock table wallet in share row exclusive mode nowait;

create index chain_move_recorded on chain_move (recorded_at);
create index chain_move_transaction on chain_move (platform_id, tx_hash);

-- What the job that compares wallets with their readings has not taken yet.
create table wallet_pending (
  kind text not null check (kind in ('move', 'revert', 'fee', 'reading')),
  -- The move, its revert, the chain fee or the reading.
  ref_id bigint not null,
  next_at bigint not null,
  primary key (kind, ref_id)
);
create index wallet_pending_next on wallet_pending (next_at, ref_id);
grant select, insert, update (next_at), delete on wallet_pending to {{app}};
select protect('wallet_pending');

-- What changed a wallet: each move, each revert, each chain fee of the books.
create table wallet_entry (
  id bigint generated always as identity primary key,
  wallet_id bigint not null references wallet (id),
  kind text not null check (kind in ('move', 'revert', 'fee')),
  ref_id bigint not null,
  amount numeric(36, 18) not null,
  block bigint,
  created_at bigint not null,
  unique (kind, ref_id)
);
create index wallet_entry_time on wallet_entry (wallet_id, created_at) include (amount, block);
create index wallet_entry_block on wallet_entry (wallet_id, block) include (amount) where block is not null;
grant select, insert on wallet_entry to {{app}};
select protect('wallet_entry');

-- What changed a wallet until each of its readings, so that two readings are compared without the moves between them.
create table wallet_judgement (
  reading_id bigint primary key,
  wallet_id bigint not null,
  block bigint,
  created_at bigint not null,
  -- Sum of the entries until the reading, from the first entry on.
  moved numeric(60, 18) not null,
  -- From when on a difference is no matter of a late move. Null: it was looked at then.
  due_at bigint
);
create index wallet_judgement_time on wallet_judgement (wallet_id, created_at, reading_id);
create index wallet_judgement_block on wallet_judgement (wallet_id, block) where block is not null;
create index wallet_judgement_due on wallet_judgement (due_at) where due_at is not null;
grant select, insert, update (moved, due_at) on wallet_judgement to {{app}};
select protect('wallet_judgement');

create table wallet_balance (
  wallet_id bigint primary key references wallet (id),
  -- Sum of all entries.
  moved numeric(60, 18) not null default 0,
  -- The last reading and what moved since; without a reading what moved.
  amount numeric(60, 18) not null default 0,
  -- First and last reading by their time, and what the last one has above the first one and the moves between them.
  opening_id bigint,
  reading_id bigint,
  read_at bigint,
  difference numeric(60, 18)
);
grant select, insert, update (moved, amount, opening_id, reading_id, read_at, difference) on wallet_balance to {{app}};
select protect('wallet_balance');

-- Each coin as it was when a job last compared books and wallets.
create table wallet_coin (
  market_id bigint primary key,
  -- 0: no wallet has a reading, or none of a platform with balances of the coin. 1: equal. 2: different.
  state integer not null check (state between 0 and 2),
  liabilities numeric(60, 18) not null,
  custody numeric(60, 18) not null,
  -- Null while not all platforms are connected, as all below.
  wallets numeric(60, 18),
  under_way numeric(60, 18),
  difference numeric(60, 18),
  -- What hot wallets in use hold.
  hot numeric(60, 18),
  -- 95th percentile of the daily net outflow of the last 30 days; null without outflow.
  outflow numeric(60, 18),
  -- The oldest of the last readings of wallets in use.
  read_at bigint,
  -- Platforms with balances of the coin and without a wallet that has a reading.
  missing bigint[] not null,
  created_at bigint not null,
  check ((state = 0) = (difference is null)),
  check ((state = 2) = (difference is not null and difference <> 0))
);
grant select, insert, update, delete on wallet_coin to {{app}};
select protect('wallet_coin');

insert into wallet_pending (kind, ref_id, next_at)
select 'move', id, 0 from chain_move where kind <> 'fee'
union all select 'revert', r.move_id, 0 from chain_revert r join chain_move m on m.id = r.move_id where m.kind <> 'fee'
union all select 'fee', id, 0 from chain_fee where effect = 'posted'
union all select 'reading', id, 0 from wallet_reading;
