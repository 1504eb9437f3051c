-- no-transaction
-- Ledger entries of an operator: adjustments and corrections.
create index concurrently if not exists entry_operator on entry (operator_id, id) where operator_id is not null;
