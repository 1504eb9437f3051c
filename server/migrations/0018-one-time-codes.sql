-- One-time codes, sessions that can be looked at and ended, and guesses that are counted over any sixty minutes.

-- Since when an operator logs in with codes; whoever stands above sees it, and takes it away when the codes were lost.
alter table agent add column otp_since bigint;

-- The secret as the key outside of the database has sealed it, and the last time step of which a code was accepted.
create table otp (
  operator_id bigint primary key references agent (id),
  secret text not null,
  last_step bigint not null default 0,
  created_at bigint not null
);

-- Recovery codes under a keyed hash.
create table otp_recovery (
  operator_id bigint not null references agent (id),
  hash text not null,
  created_at bigint not null,
  used_at bigint,
  primary key (operator_id, hash)
);

-- When a code was last given in the session, and whether its browser had been known before.
alter table session add column fresh_at bigint;
alter table session add column known smallint not null default 0 check (known in (0, 1));
create index session_of on session (operator_id, id desc);

-- The moments of the last guesses under a name: as many as the name may have in an hour, and no more.
drop table login_guard;
create table login_guard (
  name text primary key,
  times bigint[] not null,
  last_at bigint not null
);
create index login_guard_age on login_guard (last_at);

grant select, insert, update, delete on otp, otp_recovery, login_guard to {{app}};
-- What has outlived its retention is swept.
grant delete on session, device to {{app}};

do $$
declare
  t text;
begin
  -- Of nobody's tree: only the system itself looks at secrets and guesses.
  foreach t in array array['otp', 'otp_recovery', 'login_guard'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t,
      $q$(select current_setting('app.scope', true)) = 'all'$q$, $q$(select current_setting('app.scope', true)) = 'all'$q$);
  end loop;
end
$$;
