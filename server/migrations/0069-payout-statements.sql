-- What the wallet said about payouts: each payment, and what changed no record. Append-only. No foreign key to withdrawals: their
-- rows are never deleted, and the migration must not lock the table.
create table payout_statement (
  id bigint generated always as identity primary key,
  platform_id bigint not null,
  no text not null,
  -- Null: the platform has no withdrawal with this number.
  withdraw_id bigint,
  -- 0: no payout was ordered.
  attempt integer not null,
  type text not null check (type in ('paying', 'paid', 'failed', 'unknown')),
  tx_hash text not null,
  tx_index integer,
  chain_fee numeric(36, 18),
  fee_market text,
  reason text not null,
  effect text not null check (effect in ('applied', 'none', 'unexpected')),
  created_at bigint not null,
  recorded_at bigint not null,
  unique (platform_id, no, attempt, type, tx_hash)
);
create index payout_statement_withdraw on payout_statement (withdraw_id, id);

-- Visible with their withdrawal.
select protect('payout_statement');
create policy of_withdraw on payout_statement for select using (
  exists (select from withdraw w where w.id = payout_statement.withdraw_id));
grant select, insert on payout_statement to {{app}};
