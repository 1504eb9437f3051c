-- Futures: one row from the order to the end of its position, its closes and its fundings. What a position holds as margin
-- stands in its own row, so that one conditional write decides state and money. Demo ones look the same and own nothing.
create table future_order (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  side smallint not null check (side in (1, 2)),
  type smallint not null check (type in (1, 2)),
  leverage integer not null check (leverage > 0),
  price numeric(36, 18) check (price > 0),
  amount numeric(36, 18) not null check (amount > 0),
  close_amount numeric(36, 18) not null default 0 check (close_amount >= 0),
  close_value numeric(36, 18) not null default 0 check (close_value >= 0),
  close_price numeric(36, 18) generated always as (round(close_value / nullif(close_amount, 0), 18)) stored,
  open_price numeric(36, 18) check (open_price > 0),
  margin numeric(36, 18) not null check (margin >= 0),
  held numeric(36, 18) not null check (held >= 0),
  realized numeric(36, 18) not null default 0,
  fee numeric(36, 18) not null default 0 check (fee >= 0),
  funding numeric(36, 18) not null default 0,
  insured numeric(36, 18) not null default 0 check (insured >= 0),
  take_profit numeric(36, 18) check (take_profit > 0),
  stop_loss numeric(36, 18) check (stop_loss > 0),
  close_type smallint check (close_type between 1 and 5),
  closing numeric(36, 18) check (closing > 0),
  state smallint not null check (state between 0 and 6),
  -- Where it stands, whatever is being done about it: pending, open, or how it ended.
  stage smallint not null generated always as (case state when 5 then 0 when 6 then 1 else state end) stored,
  -- What is or would be open of it.
  rest numeric(36, 18) not null generated always as (case when state in (0, 1, 5, 6) then amount - close_amount else 0 end) stored,
  by_account text,
  reason text not null default '',
  created_at bigint not null,
  opened_at bigint,
  ended_at bigint,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint future_order_form check ((type = 1) = (price is not null)),
  constraint future_order_closed check (close_amount <= amount and (close_amount = 0 or open_price is not null)),
  constraint future_order_open check (state not in (1, 2, 4, 6) or (open_price is not null and opened_at is not null)),
  constraint future_order_closing check ((state = 6) = (closing is not null) and (closing is null or closing <= amount - close_amount)),
  constraint future_order_ended check ((state in (0, 1, 5, 6)) = (ended_at is null) and (ended_at is null or held = 0))
);
create index future_order_user on future_order (user_id, id desc);
create index future_order_agent on future_order (agent_id, stage, id desc);
create index future_order_stage on future_order (stage, id desc);
create index future_order_state on future_order (state, id desc) where state in (5, 6);
create index future_order_open on future_order (market_id, demo, agent_id) where state in (0, 1, 5, 6);

create table future_close (
  id bigint generated always as identity primary key,
  order_id bigint not null references future_order (id),
  close_no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  side smallint not null check (side in (1, 2)),
  leverage integer not null check (leverage > 0),
  amount numeric(36, 18) not null check (amount > 0),
  open_price numeric(36, 18) not null check (open_price > 0),
  price numeric(36, 18) not null check (price > 0),
  realized numeric(36, 18) not null,
  -- The margin that this part of the position had.
  released numeric(36, 18) not null check (released >= 0),
  fee numeric(36, 18) not null check (fee >= 0),
  insured numeric(36, 18) not null check (insured >= 0),
  close_type smallint not null check (close_type between 1 and 5),
  created_at bigint not null,
  recorded_at bigint not null
);
create index future_close_order on future_close (order_id, id desc);
create index future_close_user on future_close (user_id, id desc);
create index future_close_agent on future_close (agent_id, id desc);

create table future_funding (
  id bigint generated always as identity primary key,
  order_id bigint not null references future_order (id),
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  market_id bigint not null references market (id),
  demo smallint not null check (demo in (0, 1)),
  -- Below zero it was paid.
  amount numeric(36, 18) not null check (amount <> 0),
  from_margin numeric(36, 18) not null check (from_margin >= 0),
  insured numeric(36, 18) not null check (insured >= 0),
  created_at bigint not null,
  recorded_at bigint not null
);
create index future_funding_order on future_funding (order_id, id desc);
create index future_funding_user on future_funding (user_id, id desc);
create index future_funding_agent on future_funding (agent_id);

-- What was asked for, closed and paid stays as it was written.
grant select, insert on future_order, future_close, future_funding to {{app}};
grant update (close_amount, close_value, open_price, margin, held, realized, fee, funding, insured, take_profit, stop_loss,
  close_type, closing, state, by_account, reason, opened_at, ended_at, updated_at, agent_id) on future_order to {{app}};
grant update (agent_id) on future_close, future_funding to {{app}};
do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  in_scope constant text := $q$agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
begin
  foreach t in array array['future_order', 'future_close', 'future_funding'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    execute format('create policy own_tree on %I for select using (%s)', t, in_scope);
    execute format('create policy own_tree_update on %I for update using (%s)', t, in_scope);
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, in_scope);
  end loop;
end
$$;
-- Who sees a position sees what became of the commands about it.
create policy own_positions on command for select
  using (ref_type = 'future' and exists (select from future_order o where o.id = ref_id));
