-- no-transaction
-- Fees in other coins than the received one, by order and for sums.
create index concurrently if not exists trade_fill_other_fee on trade_fill (order_id) include (fee_market_id, fee)
  where fee_market_id is not null;
