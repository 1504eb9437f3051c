-- Rotation of the keys that are kept outside the database: which keys are known, in use, and to which servers.

-- The tables that servers lock in other orders.
lock table installation in access exclusive mode;
lock table otp, otp_recovery in access exclusive mode nowait;

-- The key that new secrets of one-time codes are encrypted with; null until the first rotation.
alter table installation add column otp_key_id text;
-- The key of each secret; null in rows of earlier releases.
alter table otp add column key_id text;
alter table otp_recovery add column key_id text;

-- Recovery codes are keyed hashes and cannot be hashed again. The part of an earlier key that hashed them is kept for as long
-- as one of them is unused, encrypted with the present key.
create table otp_recovery_key (
  key_id text primary key,
  wrapped_by text not null,
  secret text not null
);

-- Every key that a server has held. Only keys of the gateway have a last use.
create table known_key (
  kind text not null check (kind in ('otp', 'audit', 'platform')),
  key_id text not null,
  first_seen_at bigint not null,
  last_used_at bigint,
  primary key (kind, key_id)
);

-- The keys that each running server holds, so that no rotation leaves one behind. A row not renewed for 20 s is stale.
create table server_key (
  server_id uuid primary key,
  host text not null,
  pid integer not null,
  otp text[] not null,
  audit text[] not null,
  platform text[] not null,
  seen_at bigint not null
);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
begin
  foreach t in array array['otp_recovery_key', 'known_key', 'server_key'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
end
$$;
grant select on otp_recovery_key, known_key, server_key to {{app}};
grant insert on known_key, server_key to {{app}};
grant update (last_used_at) on known_key to {{app}};
grant update on server_key to {{app}};
grant delete on server_key to {{app}};
