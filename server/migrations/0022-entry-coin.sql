-- no-transaction
-- Pages of a rare coin: the counters tell in which blocks of ids its entries are, and this index finds them there.
create index concurrently if not exists entry_coin on entry (market_id, id desc) where user_id is not null;
