-- What does not fit between wallets, chains and records: open items, outflows that nobody ordered, and records without a move.

-- The first lock may wait, the others must not: nobody waits for a table that this holds.
lock table withdraw in share row exclusive mode;
lock table recharge in share row exclusive mode nowait;
lock table auto_stop_cause, chain_match, chain_move_open, chain_move, chain_fee, wallet, key_renewal in access exclusive mode nowait;

alter table chain_move
  -- The key of the gateway by which it was reported; 0 is a key of the environment, null an earlier version.
  add column key_id bigint;
create index chain_move_record on chain_move (record) where record is not null;
create index chain_move_hash on chain_move (tx_hash);
create index chain_move_account on chain_move (account_key) where account_key is not null;
create index chain_fee_item on chain_fee (id) where effect <> 'posted';

-- Keys of wallets and moves are made again when the rules or the families of networks change, as those of withdrawals.
alter table key_renewal drop constraint key_renewal_table_name_check,
  add constraint key_renewal_table_name_check check (table_name in ('withdraw', 'recharge', 'wallet', 'chain_move'));
grant update (account_key, memo_key, account_rules) on wallet, chain_move to {{app}};
create index wallet_stale_keys on wallet (id) where account_rules < 1;
create index chain_move_stale_keys on chain_move (id) where account_rules < 1;

alter table chain_move_open
  -- When it began to wait.
  add column opened_at bigint not null default 0,
  -- How often it found no record.
  add column tries integer not null default 0,
  -- Whether it was asked for the attempt that ordered it.
  add column is_judged boolean not null default false,
  -- Whether it has waited for longer than the bound.
  add column is_due boolean not null default false;
grant update (tries, is_judged, is_due) on chain_move_open to {{app}};

-- The attempt of a payout that ordered a move. A reverted move gives it back.
create table chain_order (
  move_id bigint primary key references chain_move (id),
  withdraw_id bigint not null,
  attempt integer not null,
  unique (withdraw_id, attempt)
);
grant select, insert, delete on chain_order to {{app}};
select protect('chain_order');

-- Paid withdrawals and credited recharges that have no move yet, once a platform has a wallet.
create table chain_record_open (
  record_type text not null check (record_type in ('withdraw', 'recharge')),
  record_id bigint not null,
  opened_at bigint not null,
  -- When the job reads it: at once, and then at the end of the bound.
  next_at bigint not null,
  primary key (record_type, record_id)
);
create index chain_record_open_next on chain_record_open (next_at);
grant select, insert, update (next_at), delete on chain_record_open to {{app}};
select protect('chain_record_open');

-- What people must explain. At most one for each move, record and fee.
create table wallet_item (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('move', 'record', 'fee')),
  why text not null,
  -- 0 waiting, 1 matched, 2 different, 3 explained, 4 reverted.
  state smallint not null check (state between 0 and 4),
  platform_id bigint not null,
  -- Null: a fee in a coin that the platform does not have. No foreign key: the migration must not lock the markets.
  market_id bigint,
  network text not null,
  -- Above zero into the wallet.
  amount numeric(36, 18) not null,
  move_id bigint references chain_move (id),
  record_type text check (record_type in ('withdraw', 'recharge')),
  record_id bigint,
  fee_id bigint references chain_fee (id),
  alarm_id bigint,
  -- What explanations posted from the own capital to custody, so far.
  posted numeric(36, 18) not null default 0,
  own boolean,
  reason text not null default '',
  by_account text,
  second_by text,
  explained_at bigint,
  created_at bigint not null,
  check (num_nonnulls(move_id, record_id, fee_id) = 1 and (record_type is null) = (record_id is null))
);
create unique index wallet_item_move on wallet_item (move_id) where move_id is not null;
create unique index wallet_item_record on wallet_item (record_type, record_id) where record_id is not null;
create unique index wallet_item_fee on wallet_item (fee_id) where fee_id is not null;
create index wallet_item_state on wallet_item (state, id);
create index wallet_item_market on wallet_item (market_id, id);
grant select, insert, update (why, state, alarm_id, posted, own, reason, by_account, second_by, explained_at) on wallet_item to {{app}};
select protect('wallet_item');

-- A cause can be a move on a chain, which names the platform that it stops; that of a withdrawal is its user's.
alter table auto_stop_cause
  alter column withdraw_id drop not null,
  add column platform_id bigint,
  add check (num_nonnulls(withdraw_id, platform_id) = 1);

-- A record that is paid or credited waits for its move. One that no longer is loses its move, which waits again.
create function follow_chain_record() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_type constant text := tg_argv[0];
  settled constant integer := tg_argv[1];
  moved bigint;
begin
  if new.state = settled then
    insert into chain_record_open (record_type, record_id, opened_at, next_at)
    select of_type, new.id, new.updated_at, new.updated_at
    -- The job looks whether it is the platform's: users may wait to be written.
    where exists (select from wallet)
    on conflict (record_type, record_id) do nothing;
    return null;
  end if;
  delete from chain_record_open where record_type = of_type and record_id = new.id;
  update wallet_item set state = case when posted = 0 then 4 else 0 end
  where record_type = of_type and record_id = new.id and state in (0, 3);
  update chain_match set ended_at = new.updated_at
  where record_type = of_type and record_id = new.id and ended_at is null returning move_id into moved;
  if moved is not null then
    insert into chain_move_open (move_id, next_at, opened_at, is_judged)
    values (moved, new.updated_at, new.updated_at, true) on conflict (move_id) do nothing;
    update wallet_item set state = 0, why = 'noRecord' where move_id = moved and state in (2, 3);
  end if;
  return null;
end $$;

create trigger follow_chain_paid after update of state on withdraw for each row
  when (old.state <> new.state and 4 in (old.state, new.state) and not counters_paused())
  execute function follow_chain_record('withdraw', '4');
create trigger follow_chain_credited after update of state on recharge for each row
  when (old.state <> new.state and 1 in (old.state, new.state) and not counters_paused())
  execute function follow_chain_record('recharge', '1');
create trigger follow_chain_arrived after insert on recharge for each row
  when (new.state = 1 and not counters_paused()) execute function follow_chain_record('recharge', '1');
