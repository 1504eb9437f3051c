-- Fees of spot fills in any coin and rebates. Pairs of two coins. Positions that open in parts and grow. Markets
-- that the platform saves. Corporate actions.

lock table trade_fill in access exclusive mode;
lock table trade_order, market, future_order in access exclusive mode nowait;
lock table users, agent in share row exclusive mode nowait;

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
-- What the platform saved last of a market, what operators hold closed of it, and the version of the platform.
alter table market
  add column platform jsonb not null default '{}',
  add column platform_held jsonb not null default '{}',
  add column platform_version integer not null default 0;
grant insert (base_id, quote_id) on market to {{app}};
grant update (platform, platform_held, platform_version) on market to {{app}};

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

-- amount is what was opened so far, once a part is open; unopened is the rest of the order, and pending_margin its margin.
-- parts counts the openings of a position that did not open as a whole and at once.
alter table future_order
  add column unopened numeric(36, 18) not null default 0 check (unopened >= 0),
  add column pending_margin numeric(36, 18) not null default 0 check (pending_margin >= 0),
  add column parts integer not null default 0 check (parts >= 0),
  add constraint future_order_unopened check ((unopened > 0 or pending_margin = 0) and (unopened = 0 or state in (1, 6)));
grant update (amount, unopened, pending_margin, parts) on future_order to {{app}};

-- Openings of the positions with several.
create table future_open (
  id bigint generated always as identity primary key,
  order_id bigint not null references future_order (id),
  -- Null for the first opening, and for those of position.opened.
  trade_no text unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  amount numeric(36, 18) not null check (amount > 0),
  price numeric(36, 18) not null check (price > 0),
  margin numeric(36, 18) not null check (margin >= 0),
  fee numeric(36, 18) not null check (fee >= 0),
  created_at bigint not null,
  recorded_at bigint not null
);
create index future_open_order on future_open (order_id, id desc);
create index future_open_user on future_open (user_id, id desc);
create index future_open_agent on future_open (agent_id);
create index future_open_created on future_open (created_at) include (agent_id, price, amount) where demo = 0;

-- Changes of balances by a split, airdrop, redenomination or delisting. The money is in the entries (ref_type
-- 'corporate'). Append-only, like the entries.
create table corporate_action (
  id bigint generated always as identity primary key,
  no text not null unique,
  -- The number of the whole action, which has a row for each account.
  batch text not null,
  -- 1 split, 2 airdrop, 3 redenomination, 4 delisting.
  kind smallint not null check (kind between 1 and 4),
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  platform smallint not null check (platform between 1 and 4),
  amount numeric(36, 18) not null check (amount <> 0),
  reason text not null,
  created_at bigint not null,
  recorded_at bigint not null
);
create index corporate_action_user on corporate_action (user_id, id desc);
create index corporate_action_agent on corporate_action (agent_id, id desc);
create index corporate_action_batch on corporate_action (batch, id desc);

alter table future_open enable row level security;
alter table corporate_action enable row level security;
do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  own constant text := format($q$(get_bit((select %1$s), least(greatest(agent_id, 0),
    (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
begin
  foreach t in array array['future_open', 'corporate_action'] loop
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    execute format('create policy own_tree on %I for select using (%s)', t, own);
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, own);
    execute format('create policy own_tree_update on %I for update using (%s)', t, own);
  end loop;
end
$$;
grant select, insert on future_open, corporate_action to {{app}};
grant update (agent_id) on future_open, corporate_action to {{app}};
-- Ids that are taken before their rows are written.
grant usage on sequence corporate_action_id_seq to {{app}};
