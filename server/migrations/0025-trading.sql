-- Fees of spot fills in any coin, and rebates.

lock table trade_fill in access exclusive mode;
lock table trade_order in access exclusive mode nowait;
lock table market in share row exclusive mode nowait;

-- Negative: the house paid the user.
alter table trade_fill drop constraint trade_fill_fee_check,
  -- The coin of the fee; null for the coin that the user received.
  add column fee_market_id bigint references market (id);
-- The fees in the received coin, less rebates in it.
alter table trade_order drop constraint trade_order_fee_check;
