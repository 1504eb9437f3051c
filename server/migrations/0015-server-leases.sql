-- The servers that run, each with the newest migration that it knows, so that a migration is not applied under a server that
-- it would break.

create table server_lease (
  id uuid primary key,
  release text not null,
  schema_version integer not null,
  host text not null,
  pid integer not null,
  -- Both by the clock of the database. A lease that is not renewed runs out.
  started_at bigint not null,
  seen_at bigint not null
);

alter table server_lease enable row level security;
create policy everything on server_lease
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
grant select, insert, delete on server_lease to {{app}};
grant update (seen_at) on server_lease to {{app}};

-- The oldest schema whose servers a migration still serves; null if it serves all that the schema before it served.
alter table schema_migration add column serves_from integer;
