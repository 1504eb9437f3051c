-- Several platforms in one installation: whose users, markets and commands are whose.

lock table users in access exclusive mode;
lock table command, gateway_key, approval in access exclusive mode nowait;

create table platform (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 30),
  -- Names of the markets that it may speak of; null: every market.
  markets text[],
  by_account text not null,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
-- Platform 1 is the default: it has the keys of the environment, and every user that no other platform registered.
insert into platform (name, by_account, created_at, recorded_at, updated_at)
values ('默认平台', '', 0, 0, 0);

-- No foreign keys, because checking them would read all rows; platforms are never deleted.
alter table users add column platform_id bigint not null default 1;
alter table gateway_key add column platform_id bigint not null default 1;
-- Null until the command gets its first number; then that of the user whom it concerns, and 1 for rows from before.
alter table command add column platform_id bigint;

alter table platform enable row level security;
create policy everything on platform using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
grant select, insert, update on platform to {{app}};

-- Requests about a platform concern the house as well.
alter policy house_requests on approval using (target_type in ('installation', 'config', 'gatewayKey', 'gatewayPlatform')
  and (select coalesce(current_setting('app.scope', true), '')) <> '');
alter policy house_requests_update on approval using (
  target_type in ('installation', 'config', 'gatewayKey', 'gatewayPlatform')
  and (select coalesce(current_setting('app.scope', true), '')) <> '');
