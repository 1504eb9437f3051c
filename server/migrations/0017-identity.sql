-- Identity reviews. What a customer submitted stays as it was; a decision writes state, reason, by and when.
create table auth (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  name text not null,
  country text not null,
  id_type smallint not null check (id_type between 1 and 3),
  id_number text not null,
  -- As it is compared: two spellings of one number are one number.
  id_key text generated always as (upper(regexp_replace(id_number, '[^[:alnum:]]', '', 'g'))) stored,
  level smallint not null check (level in (1, 2)),
  -- A picture as a data: address, or an address of the platform; empty where there is none.
  front text not null default '',
  back text not null default '',
  holding text not null default '',
  state smallint not null check (state between 0 and 2),
  reason text not null default '',
  by_account text,
  reviewed_at bigint,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
-- Pictures are packed already, and a list only looks at how each begins.
alter table auth alter column front set storage external, alter column back set storage external,
  alter column holding set storage external;
-- One at a time: the platform names a review by its account alone.
create unique index auth_waiting on auth (user_id) where state = 0;
create index auth_user on auth (user_id, id desc);
create index auth_agent on auth (agent_id, state, id desc);
create index auth_state on auth (state, id desc);
create index auth_open on auth (agent_id) where state = 0;
create index auth_number on auth (id_key);

grant select, insert on auth to {{app}};
grant update (state, reason, by_account, reviewed_at, updated_at, agent_id) on auth to {{app}};
alter table auth enable row level security;
create policy everything on auth
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own_tree on auth for select
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_update on auth for update
  using (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));
create policy own_tree_insert on auth for insert
  with check (agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[]));

-- Who looked at the pictures of which review, and when last: looking is audited once, not once a picture.
create table auth_look (
  operator_id bigint not null references agent (id),
  auth_id bigint not null references auth (id),
  looked_at bigint not null,
  primary key (operator_id, auth_id)
);
grant select, insert, update on auth_look to {{app}};
alter table auth_look enable row level security;
create policy everything on auth_look
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own on auth_look
  using (operator_id = nullif((select current_setting('app.operator', true)), '')::bigint)
  with check (operator_id = nullif((select current_setting('app.operator', true)), '')::bigint);
