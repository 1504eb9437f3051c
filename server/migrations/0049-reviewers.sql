-- no-transaction
-- Records that an operator has decided.
create index concurrently if not exists withdraw_reviewer on withdraw (by_account, id) where by_account is not null;
create index concurrently if not exists auth_reviewer on auth (by_account, id) where by_account is not null;
create index concurrently if not exists ieo_reviewer on ieo (by_account, id) where by_account is not null;
