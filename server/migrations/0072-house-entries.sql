-- no-transaction
-- Balances of the house as of a moment, and the entries of a time.
create index concurrently if not exists entry_of_house on entry (account_id, recorded_at, id) where user_id is null;

alter table account validate constraint account_owner_check;
