-- no-transaction
-- Fees in other coins than the received one, by order and for sums.
create index concurrently if not exists trade_fill_other_fee on trade_fill (order_id) include (fee_market_id, fee)
  where fee_market_id is not null;
-- For the figures of the home page: turnover by market, because its unit is the quote.
create index concurrently if not exists trade_fill_traded on trade_fill (created_at) include (agent_id, market_id, turnover);
drop index concurrently if exists trade_fill_created;
create index concurrently if not exists market_base on market (base_id) where base_id is not null;
create index concurrently if not exists future_order_opened_whole on future_order (opened_at)
  include (agent_id, open_price, amount) where demo = 0 and parts = 0;
drop index concurrently if exists future_order_opened;
