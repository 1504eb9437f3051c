-- Value of an amount in the settlement asset at the last price; null when no tick has come yet. Values beyond what an
-- amount can hold have none either.
create function value_of(of_market bigint, amount numeric) returns numeric
language sql stable as $$
  select case when v.value < 1e18 then round(v.value, 18) end
  from (select amount * case when m.market_name = 'USDT' then 1 else m.price end as value from market m where m.id = of_market) v
$$;
