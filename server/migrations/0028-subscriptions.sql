-- Subscriptions to a token. What was asked for stays as it came in; a decision writes state, reason, by whom and when.
create table ieo (
  id bigint generated always as identity primary key,
  no text not null unique,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  -- The token; it is paid for in the settlement asset.
  market_id bigint not null references market (id),
  price numeric(36, 18) not null check (price > 0),
  amount numeric(36, 18) not null check (amount > 0),
  pay numeric(36, 18) not null,
  state smallint not null check (state between 0 and 3),
  reason text not null default '',
  by_account text,
  reviewed_at bigint,
  second_by text,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  -- Nothing is rounded: what has more digits than an amount can hold is not taken.
  constraint ieo_pay_exact check (pay = price * amount)
);
create index ieo_user on ieo (user_id, id desc);
create index ieo_agent on ieo (agent_id, state, id desc);
create index ieo_state on ieo (state, id desc);
create index ieo_open on ieo (agent_id) where state = 0;

grant select, insert on ieo to {{app}};
grant update (state, reason, by_account, reviewed_at, second_by, updated_at, agent_id) on ieo to {{app}};
alter table ieo enable row level security;
create policy everything on ieo
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own_tree on ieo for select
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_update on ieo for update
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_insert on ieo for insert
  with check (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
