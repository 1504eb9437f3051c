-- What the platform says about its wallets and what moved on chains. Nothing is deleted, and all but name and state of a wallet
-- is append-only.
create table wallet (
  id bigint generated always as identity primary key,
  platform_id bigint not null,
  -- The platform's own id.
  no text not null,
  kind text not null check (kind in ('hot', 'warm', 'cold', 'deposit', 'gas', 'exchange')),
  market_id bigint not null references market (id),
  network text not null,
  -- The text by which networks are compared.
  network_key text not null,
  -- Empty without one, with null keys.
  address text not null,
  memo text not null,
  account_key text,
  memo_key text,
  account_rules integer,
  name text not null,
  state integer not null check (state in (0, 1)),
  -- When it was first saved: moves from before are not judged.
  created_at bigint not null,
  recorded_at bigint not null,
  -- Time of the event that set name and state.
  saved_at bigint not null,
  unique (platform_id, no)
);
grant select, insert, update (name, state, saved_at) on wallet to {{app}};
select protect('wallet');

create table wallet_reading (
  id bigint generated always as identity primary key,
  wallet_id bigint not null references wallet (id),
  amount numeric(36, 18) not null check (amount >= 0),
  block bigint,
  created_at bigint not null,
  recorded_at bigint not null
);
create index wallet_reading_wallet on wallet_reading (wallet_id, created_at, id);
grant select, insert on wallet_reading to {{app}};
select protect('wallet_reading');

create table chain_move (
  id bigint generated always as identity primary key,
  platform_id bigint not null,
  no text not null,
  wallet_id bigint not null references wallet (id),
  kind text not null check (kind in ('deposit', 'payout', 'move', 'fee', 'other')),
  amount numeric(36, 18) not null check (amount <> 0),
  tx_hash text not null,
  tx_index integer,
  -- Of the other side; empty without one.
  address text not null,
  memo text not null,
  -- Of where the money arrived; null without an address.
  account_key text,
  memo_key text,
  account_rules integer,
  fee numeric(36, 18),
  fee_market text,
  record text,
  attempt integer,
  block bigint,
  created_at bigint not null,
  recorded_at bigint not null,
  unique (platform_id, no)
);
create index chain_move_wallet on chain_move (wallet_id, created_at, id);
grant select, insert on chain_move to {{app}};
select protect('chain_move');

create table chain_revert (
  move_id bigint primary key references chain_move (id),
  created_at bigint not null,
  recorded_at bigint not null
);
grant select, insert on chain_revert to {{app}};
select protect('chain_revert');

-- What chains took, once for each transaction, and what was said about it besides.
create table chain_fee (
  id bigint generated always as identity primary key,
  platform_id bigint not null,
  network_key text not null,
  tx_hash text not null,
  market text not null,
  -- Null if the platform has no coin of this name.
  market_id bigint references market (id),
  -- Below zero: a later move gave it back.
  amount numeric(36, 18) not null check (amount <> 0),
  effect text not null check (effect in ('posted', 'unlisted', 'different')),
  -- The move or the withdrawal that said it.
  move_id bigint references chain_move (id),
  withdraw_id bigint,
  created_at bigint not null,
  recorded_at bigint not null,
  check (num_nonnulls(move_id, withdraw_id) = 1),
  check ((effect = 'unlisted') <= (market_id is null) and (effect = 'posted') <= (market_id is not null))
);
create unique index chain_fee_transaction on chain_fee (platform_id, network_key, tx_hash)
  where effect <> 'different' and amount > 0;
grant select, insert on chain_fee to {{app}};
select protect('chain_fee');
