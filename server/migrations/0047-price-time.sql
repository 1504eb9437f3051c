-- Time of the oldest price in usdt_price(), of the same pair. Null for USDT, and for a coin without a price.
create function usdt_price_at(coin bigint) returns bigint
language sql stable as $$
  select case when m.market_name = 'USDT' then null when m.price is not null then m.price_at else (
    -- The price of USDT has no time; least() ignores it.
    select least(p.price_at, q.price_at)
    from market p join market q on q.id = p.quote_id
    where p.base_id = m.id and p.price is not null and (q.market_name = 'USDT' or q.price is not null)
    order by p.sort, p.id limit 1) end
  from market m where m.id = coin
$$;
