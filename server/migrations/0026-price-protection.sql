-- Price protection, who of the agents may work with it, candles, and one way only by which a price is written.

-- Who saved a market last, so that whoever was slower is told.
alter table market add column updated_by text;

-- One plan for each market and kind of trading; whether it is halted now stands on the market itself.
create table plan (
  id bigint generated always as identity primary key,
  market_id bigint not null references market (id),
  -- 1 spot, 2 futures, 3 second contracts.
  market_type smallint not null check (market_type in (1, 2, 3)),
  min_price numeric(36, 18) check (min_price > 0),
  max_price numeric(36, 18),
  plan_price numeric(36, 18),
  plan_minute integer not null default 15 check (plan_minute between 1 and 1440),
  -- 1: watched; 0: off.
  watched smallint not null default 0 check (watched in (0, 1)),
  -- Whether the price was inside the band since the plan triggered last; without that it does not trigger again.
  inside boolean not null default true,
  -- The last halt: when, by which price or by whom, and until when.
  triggered_at bigint,
  trigger_price numeric(36, 18),
  halted_by text,
  resume_at bigint,
  updated_by text,
  version integer not null default 1,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  unique (market_id, market_type),
  check (watched = 0 or (min_price < plan_price and plan_price < max_price))
);
create index plan_resume on plan (resume_at) where resume_at is not null;

-- Whose business a market's plans are, besides those who see everything.
create table plan_grant (
  market_id bigint not null references market (id),
  operator_id bigint not null references agent (id),
  granted_by text not null,
  granted_at bigint not null,
  primary key (market_id, operator_id)
);
create index plan_grant_operator on plan_grant (operator_id, market_id);

-- What ticks add up to, a minute and an hour at a time; each row is written once, when no tick can fall into it any more.
create table candle (
  market_id bigint not null references market (id),
  -- Length in milliseconds: a minute or an hour.
  step bigint not null check (step in (60000, 3600000)),
  at bigint not null,
  open numeric(36, 18) not null,
  high numeric(36, 18) not null,
  low numeric(36, 18) not null,
  close numeric(36, 18) not null,
  volume numeric(36, 18),
  ticks bigint not null,
  primary key (market_id, step, at)
);

-- The one statement that writes a price. It runs as the owner: the role that serves requests may neither insert a tick nor
-- touch the price columns, so that whatever is called there, no price comes from it.
create function record_ticks(markets bigint[], prices numeric[], volumes numeric[], times bigint[], recorded bigint)
returns void
language sql
security definer
set search_path = public, pg_temp
as $$
  with told as (
    select t.market_id, t.price, t.volume, t.at, t.n
    from unnest(markets, prices, volumes, times) with ordinality as t (market_id, price, volume, at, n)
  ),
  written as (
    insert into tick (market_id, price, volume, at, recorded_at)
    select market_id, price, volume, at, recorded from told order by n
  )
  update market m set price = l.price, price_at = l.at
  from (select distinct on (market_id) market_id, price, at from told order by market_id, n desc) l
  where m.id = l.market_id;
$$;
revoke all on function record_ticks(bigint[], numeric[], numeric[], bigint[], bigint) from public;
grant execute on function record_ticks(bigint[], numeric[], numeric[], bigint[], bigint) to {{app}};

revoke insert, update on tick from {{app}};
revoke insert, update on market from {{app}};
grant insert (market_name, icon, spot, future, second, ieo, price_precision, amount_precision, min_amount, max_amount, maker_fee,
  taker_fee, max_leverage, maintenance_rate, withdraw_fee, withdraw_min, withdraw_max, recharge_state, withdraw_state, networks,
  sort, state, version, created_at, recorded_at, updated_at, updated_by) on market to {{app}};
-- The name is what the platform and the ledger's readers know a market by: it stays.
grant update (icon, spot, future, second, ieo, price_precision, amount_precision, min_amount, max_amount, maker_fee, taker_fee,
  max_leverage, maintenance_rate, withdraw_fee, withdraw_min, withdraw_max, recharge_state, withdraw_state, networks, sort, state,
  version, updated_at, updated_by, halted_at, future_halted_at, second_halted_at) on market to {{app}};

grant select, insert on candle to {{app}};
grant select, insert, delete on plan_grant to {{app}};
grant select, insert on plan to {{app}};
grant update (min_price, max_price, plan_price, plan_minute, watched, inside, triggered_at, trigger_price, halted_by, resume_at,
  updated_by, version, updated_at) on plan to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  operator constant text := $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['plan', 'plan_grant', 'candle'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  -- Candles are as public as the ticks that they are made of; only the system makes them.
  execute format('create policy shared on candle for select using (%s)', scope_set);
  execute format('create policy own on plan_grant for select using (operator_id = %s)', operator);
  execute format(
    'create policy granted on plan using (exists (
       select from plan_grant g where g.market_id = plan.market_id and g.operator_id = %s))', operator);
end
$$;
