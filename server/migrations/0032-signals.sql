-- Signals are everybody's: an operator says what may be followed, and the platform shows it. What follows them is a user's.
create table signal (
  id bigint generated always as identity primary key,
  no text not null generated always as ('S' || id::text) stored unique,
  title text not null check (title <> ''),
  title_key text generated always as (lower(title)) stored,
  market_id bigint not null references market (id),
  side smallint not null check (side in (1, 2)),
  leverage integer not null check (leverage > 0),
  price numeric(36, 18) not null check (price > 0),
  take_profit numeric(36, 18) check (take_profit > 0),
  stop_loss numeric(36, 18) check (stop_loss > 0),
  ratio numeric(36, 18) not null check (ratio > 0 and ratio <= 100),
  min_amount numeric(36, 18) not null check (min_amount > 0),
  max_amount numeric(36, 18) not null,
  start_at bigint not null,
  end_at bigint not null,
  state smallint not null check (state between 0 and 2),
  version integer not null default 1,
  by_account text,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint signal_amounts check (max_amount >= min_amount),
  constraint signal_times check (end_at > start_at),
  constraint signal_prices check (case when side = 1 then coalesce(take_profit > price, true) and coalesce(stop_loss < price, true)
    else coalesce(take_profit < price, true) and coalesce(stop_loss > price, true) end)
);
create index signal_title on signal (title_key text_pattern_ops);
create index signal_state on signal (state, id desc);
create index signal_running on signal (end_at) where state = 1;

-- What a follower staked. The stake's own coin is kept beside the market that the signal trades.
create table follow (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  signal_id bigint not null references signal (id),
  market_id bigint not null references market (id),
  coin_id bigint not null references market (id),
  amount numeric(36, 18) not null check (amount > 0),
  profit numeric(36, 18) not null default 0,
  auto smallint not null check (auto in (0, 1)),
  state smallint not null check (state between 1 and 3),
  closed_at bigint,
  by_account text,
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint follow_stake check (profit >= -amount),
  constraint follow_ended check ((state = 2) = (closed_at is not null) and (state = 2 or profit = 0))
);
create index follow_user on follow (user_id, id desc);
create index follow_agent on follow (agent_id, state, id desc);
create index follow_state on follow (state, id desc);
create index follow_signal on follow (signal_id, agent_id) include (state, amount, profit);

grant select, insert on signal, follow to {{app}};
grant update (title, market_id, side, leverage, price, take_profit, stop_loss, ratio, min_amount, max_amount, start_at, end_at,
  state, version, by_account, updated_at) on signal to {{app}};
-- What was staked stays as it came in.
grant update (profit, state, closed_at, by_account, reason, updated_at, agent_id) on follow to {{app}};

alter table signal enable row level security;
create policy shared on signal
  using ((select coalesce(current_setting('app.scope', true), '')) <> '')
  with check ((select coalesce(current_setting('app.scope', true), '')) <> '');
alter table follow enable row level security;
create policy everything on follow
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own_tree on follow for select
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_update on follow for update
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_insert on follow for insert
  with check (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
-- Who sees a following sees what became of the commands to end it.
create policy own_follows on command for select
  using (ref_type = 'follow' and exists (select from follow f where f.id = ref_id));
