-- no-transaction
-- Rows that have no keys, or those of rules before version 1: of one user, and all. A release with newer rules (ACCOUNT_RULES)
-- builds these indexes again with its version, and so finds the rows to be keyed again.
create index concurrently if not exists withdraw_stale_keys on withdraw (user_id, id) where coalesce(account_rules, 0) < 1;
create index concurrently if not exists recharge_stale_keys on recharge (id) where coalesce(account_rules, 0) < 1;
drop index concurrently if exists withdraw_unkeyed;
drop index concurrently if exists recharge_unkeyed;
