-- Passkeys (WebAuthn) of operators, their challenges, and the calls that they have confirmed.

-- The addresses that the operator has passkeys for; the session reads it with every request. Changes with the passkeys.
alter table agent add column passkey_rps text[] not null default '{}';

create table passkey (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  name text not null check (length(name) between 1 and 40),
  credential_id text not null unique,
  public_key bytea not null,
  -- Signature counter of the authenticator; 0 if it has none.
  counter bigint not null,
  -- Host name of the address that it belongs to.
  rp_id text not null,
  -- What the authenticator knows the operator by; random, and the same for all passkeys of an operator.
  user_handle text not null,
  transports text[] not null,
  attachment text check (attachment in ('platform', 'cross-platform')),
  synced smallint not null check (synced in (0, 1)),
  user_agent text not null,
  ip text not null,
  created_at bigint not null,
  last_used_at bigint,
  last_used_ip text not null default ''
);
create index passkey_operator on passkey (operator_id, id);

-- Open challenges. Answering one deletes it.
create table passkey_challenge (
  challenge text primary key,
  purpose text not null check (purpose in ('login', 'alone', 'enrol', 'fresh')),
  -- Null for a login without a password, before the operator is known.
  operator_id bigint,
  session_id bigint,
  -- The call that it is for.
  digest text,
  expires_at bigint not null
);
create index passkey_challenge_age on passkey_challenge (expires_at);
create index passkey_challenge_operator on passkey_challenge (operator_id, expires_at);

-- Calls that an assertion has confirmed, by their digest.
create table passkey_proof (
  session_id bigint not null,
  digest text not null,
  operator_id bigint not null,
  expires_at bigint not null,
  primary key (session_id, digest)
);
create index passkey_proof_age on passkey_proof (expires_at);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  in_tree constant text := format($q$(get_bit((select %1$s), least(greatest(operator_id, 0),
    (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
  own constant text := $q$operator_id = nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['passkey', 'passkey_challenge', 'passkey_proof'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  -- A reset deletes the passkeys of an operator below.
  execute format('create policy own_tree on passkey for select using (%s)', in_tree);
  execute format('create policy own_tree_delete on passkey for delete using (%s)', in_tree);
  -- Actions look for the proof of their call.
  execute format('create policy own on passkey_proof for select using (%s)', own);
end
$$;
grant select, insert, delete on passkey, passkey_challenge, passkey_proof to {{app}};
grant update (name, counter, last_used_at, last_used_ip) on passkey to {{app}};
grant update (expires_at) on passkey_proof to {{app}};
