-- Keys of the gateway that operators manage, besides those of the environment, and the nonces of signed calls.

lock table approval in access exclusive mode;

create table gateway_key (
  id bigint generated always as identity primary key,
  -- The value of x-key.
  key text not null unique,
  name text not null check (length(name) between 1 and 30),
  -- Encrypted with the key key_id of one-time codes. Null before the key is issued and after it is revoked.
  secret text,
  key_id text,
  rights text[] not null,
  -- Networks that may use the key; empty: every address.
  addresses text[] not null,
  expires_at bigint,
  -- 1: each call must have a nonce.
  nonce smallint not null check (nonce in (0, 1)),
  issued_at bigint,
  last_used_at bigint,
  revoked_at bigint,
  by_account text not null,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  check ((secret is null) = (key_id is null)),
  check (secret is null or (issued_at is not null and revoked_at is null))
);

-- Nonces that were used, by the value of x-key. A row is deleted when the time of its call is too old to be accepted again.
create table gateway_nonce (
  key text not null,
  nonce text not null,
  expires_at bigint not null,
  primary key (key, nonce)
);
create index gateway_nonce_age on gateway_nonce (expires_at);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
begin
  foreach t in array array['gateway_key', 'gateway_nonce'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
end
$$;
grant select, insert, update on gateway_key to {{app}};
grant select, insert, delete on gateway_nonce to {{app}};

-- Requests about a key of the gateway concern the house as well.
alter policy house_requests on approval using (target_type in ('installation', 'config', 'gatewayKey')
  and (select coalesce(current_setting('app.scope', true), '')) <> '');
alter policy house_requests_update on approval using (target_type in ('installation', 'config', 'gatewayKey')
  and (select coalesce(current_setting('app.scope', true), '')) <> '');
