-- Fees of spot fills in any coin and rebates. Pairs of two coins.

lock table trade_fill in access exclusive mode;
lock table trade_order in access exclusive mode nowait;
lock table market in access exclusive mode nowait;

-- Negative: the house paid the user.
alter table trade_fill drop constraint trade_fill_fee_check,
  -- The coin of the fee; null for the coin that the user received.
  add column fee_market_id bigint references market (id);
-- The fees in the received coin, less rebates in it.
alter table trade_order drop constraint trade_order_fee_check;

-- A market is a coin that is quoted in the settlement asset, or a pair of two coins: then it has both, and no balances.
-- The serving role sets them in a new market only.
alter table market
  add column base_id bigint references market (id),
  add column quote_id bigint references market (id),
  add constraint market_pair check ((base_id is null) = (quote_id is null) and base_id <> quote_id and id <> base_id
    and id <> quote_id);
grant insert (base_id, quote_id) on market to {{app}};

-- Price of a coin in the settlement asset: its own, or else that of its first pair whose quote has one. Null if unknown.
create function usdt_price(coin bigint) returns numeric
language sql stable as $$
  select case when m.market_name = 'USDT' then 1 else coalesce(m.price, (
    select p.price * case when q.market_name = 'USDT' then 1 else q.price end
    from market p join market q on q.id = p.quote_id
    where p.base_id = m.id and p.price is not null and (q.market_name = 'USDT' or q.price is not null)
    order by p.sort, p.id limit 1)) end
  from market m where m.id = coin
$$;

create or replace function value_of(of_market bigint, amount numeric) returns numeric
language sql stable as $$
  select case when v.value < 1e18 then round(v.value, 18) end from (select amount * usdt_price(of_market) as value) v
$$;
