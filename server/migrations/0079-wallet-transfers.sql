lock table wallet, chain_move in share row exclusive mode nowait;

-- Transfers between two wallets of a platform that operators ordered. Their number at the platform is T and the id.
create table wallet_transfer (
  id bigint generated always as identity primary key,
  platform_id bigint not null,
  from_id bigint not null references wallet (id),
  to_id bigint not null references wallet (id) check (to_id <> from_id),
  amount numeric(36, 18) not null check (amount > 0),
  state integer not null default 0 check (state between 0 and 5),
  reason text not null,
  -- What the wallet said, or who cancelled or resolved it.
  answer text not null default '',
  by_account text not null,
  second_by text,
  resolved_by text,
  -- What moved on the chain for it.
  out_move_id bigint references chain_move (id),
  in_move_id bigint references chain_move (id),
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  -- Nobody was given the command of a cancelled one.
  check (state <> 5 or (out_move_id is null and in_move_id is null))
);
create index wallet_transfer_from on wallet_transfer (from_id, id) where out_move_id is null;
create index wallet_transfer_to on wallet_transfer (to_id, id) where in_move_id is null;
create unique index wallet_transfer_out on wallet_transfer (out_move_id) where out_move_id is not null;
create unique index wallet_transfer_in on wallet_transfer (in_move_id) where in_move_id is not null;
grant select, insert, update (state, answer, resolved_by, out_move_id, in_move_id, updated_at) on wallet_transfer to {{app}};
select protect('wallet_transfer');
