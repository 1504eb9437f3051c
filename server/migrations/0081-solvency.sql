-- Proofs of liabilities name the last entry of the ledger that they include, and are signed together with a statement of the
-- assets.
alter table liability
  -- Null in proofs of earlier releases, which have no statement.
  add column entry_id bigint,
  -- [{name, sha256}]: files of ownership signatures that the statement lists.
  add column files jsonb not null default '[]',
  -- Null if the system asked for the proof.
  alter column operator_id drop not null;

create table solvency (
  liability_id bigint primary key references liability (id),
  statement jsonb not null
);
grant select, insert on solvency to {{app}};
select protect('solvency');
