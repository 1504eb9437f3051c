-- Spot orders and their fills. What an order still holds follows from its own row, so that one conditional write decides
-- state and money: a purchase at a limit holds price times what is not filled, a purchase for funds what is not spent, a
-- sale what is not sold.
create table trade_order (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  side smallint not null check (side in (1, 2)),
  type smallint not null check (type in (1, 2)),
  price numeric(36, 18) check (price > 0),
  amount numeric(36, 18) check (amount > 0),
  funds numeric(36, 18) check (funds > 0),
  filled numeric(36, 18) not null default 0 check (filled >= 0),
  turnover numeric(36, 18) not null default 0 check (turnover >= 0),
  fee numeric(36, 18) not null default 0 check (fee >= 0),
  fee_coin numeric(36, 18) not null generated always as (case when side = 1 then fee else 0 end) stored,
  fee_usdt numeric(36, 18) not null generated always as (case when side = 2 then fee else 0 end) stored,
  avg_price numeric(36, 18) generated always as (round(turnover / nullif(filled, 0), 18)) stored,
  frozen numeric(36, 18) not null check (frozen >= 0),
  state smallint not null check (state between 0 and 4),
  open smallint not null generated always as (case when state in (0, 1, 4) then 1 else 0 end) stored,
  by_account text,
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint trade_order_form check (
    case when type = 1 then price is not null and amount is not null and funds is null
      when side = 1 then price is null and amount is null and funds is not null
      else price is null and amount is not null and funds is null end),
  constraint trade_order_filled check (filled <= amount and (funds is null or turnover <= funds)),
  constraint trade_order_ended check ((state in (0, 1, 4)) or frozen = 0)
);
create index trade_order_user on trade_order (user_id, id desc);
create index trade_order_agent on trade_order (agent_id, state, id desc);
create index trade_order_state on trade_order (state, id desc);
create index trade_order_open on trade_order (market_id, agent_id) where state in (0, 1, 4);

create table trade_fill (
  id bigint generated always as identity primary key,
  order_id bigint not null references trade_order (id),
  trade_no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  price numeric(36, 18) not null check (price > 0),
  amount numeric(36, 18) not null check (amount > 0),
  turnover numeric(36, 18) not null check (turnover >= 0),
  fee numeric(36, 18) not null check (fee >= 0),
  created_at bigint not null,
  recorded_at bigint not null
);
create index trade_fill_order on trade_fill (order_id, id desc);
create index trade_fill_user on trade_fill (user_id, id desc);
create index trade_fill_agent on trade_fill (agent_id);

-- What was asked for and what was filled stays as it was written.
grant select, insert on trade_order, trade_fill to {{app}};
grant update (filled, turnover, fee, frozen, state, by_account, reason, updated_at, agent_id) on trade_order to {{app}};
grant update (agent_id) on trade_fill to {{app}};
do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  in_scope constant text := $q$agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
begin
  foreach t in array array['trade_order', 'trade_fill'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    execute format('create policy own_tree on %I for select using (%s)', t, in_scope);
    execute format('create policy own_tree_update on %I for update using (%s)', t, in_scope);
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, in_scope);
  end loop;
end
$$;
-- Who sees an order sees what became of the commands to cancel it.
create policy own_orders on command for select
  using (ref_type = 'trade' and exists (select from trade_order o where o.id = ref_id));
