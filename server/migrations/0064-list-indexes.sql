-- no-transaction

-- Rows of a rare coin or source, without a condition that queries would have to repeat.
drop index concurrently if exists withdraw_market;
create index concurrently if not exists withdraw_coin on withdraw (market_id, id);
drop index concurrently if exists recharge_market;
create index concurrently if not exists recharge_coin on recharge (market_id, id);
drop index concurrently if exists recharge_source;
create index concurrently if not exists recharge_by_source on recharge (source, id);
