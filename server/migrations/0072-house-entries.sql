-- no-transaction
-- Balances of the house as of a moment, and sums of its entries without reading them.
create index concurrently if not exists entry_of_house on entry (account_id, recorded_at, id) include (amount) where user_id is null;

alter table account validate constraint account_owner_check;
