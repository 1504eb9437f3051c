-- no-transaction
-- Who used a beneficiary, and whether it was paid.
create index concurrently if not exists withdraw_beneficiary on withdraw (beneficiary, user_id, state);
-- The rows of an account, and whether it was used with memos.
create index concurrently if not exists withdraw_account on withdraw (account_key, memo_key);
create index concurrently if not exists recharge_account on recharge (account_key);
-- Rows to be keyed: of one user, and all.
create index concurrently if not exists withdraw_unkeyed on withdraw (user_id, id) where account_rules is null;
create index concurrently if not exists recharge_unkeyed on recharge (id) where account_rules is null;
