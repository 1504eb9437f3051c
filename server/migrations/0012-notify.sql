-- What happened, for the bell and the live feed: written in the transaction of the deed, and kept for a week. As with
-- commands, seq is given to committed rows only, so that who goes on from a seq never skips one.
create table notice (
  id bigint generated always as identity primary key,
  seq bigint unique,
  type text not null,
  noun text not null,
  ref_type text not null,
  ref_id bigint not null,
  user_id bigint references users (id),
  agent_id bigint references agent (id),
  -- Who asked, where that one is to be told of what became of it.
  operator_id bigint references agent (id),
  market_id bigint references market (id),
  amount numeric(36, 18),
  state smallint,
  detail text not null default '',
  created_at bigint not null,
  recorded_at bigint not null
);
create index notice_unnumbered on notice (id) where seq is null;
create index notice_agent on notice (agent_id, seq desc);
create index notice_operator on notice (operator_id, seq desc) where operator_id is not null;
create index notice_age on notice (recorded_at);

create table notice_seq (
  one boolean primary key default true check (one),
  last bigint not null
);
insert into notice_seq (last) values (0);

grant select, insert, delete on notice to {{app}};
grant update (seq, agent_id) on notice to {{app}};
grant select, update on notice_seq to {{app}};

alter table notice enable row level security;
create policy everything on notice
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own_tree on notice for select
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_update on notice for update
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_requests on notice for select
  using (operator_id = nullif((select current_setting('app.operator', true)), '')::bigint);
create policy own_tree_insert on notice for insert
  with check (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])
    or (agent_id is null and (select coalesce(current_setting('app.scope', true), '')) <> ''));
alter table notice_seq enable row level security;
create policy shared on notice_seq
  using ((select coalesce(current_setting('app.scope', true), '')) <> '')
  with check ((select current_setting('app.scope', true)) = 'all');

-- What waits is counted often and is little beside all there is.
create index recharge_open on recharge (state, agent_id) where state in (0, 3);
create index withdraw_open on withdraw (state, agent_id) where state in (0, 1, 7, 8);
create index alarm_open on alarm (agent_id) where closed_at is null;
create index command_unknown on command (type) where state = 4;
