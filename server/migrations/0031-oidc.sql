-- Login by an identity provider (OpenID Connect): linked accounts, open logins, and limits of the sessions they open.

-- The first lock may wait, the others must not: nobody waits for a table that this holds.
lock table session in access exclusive mode;
lock table export_job in access exclusive mode nowait;
lock table agent in share row exclusive mode nowait;

create table oidc_link (
  operator_id bigint primary key references agent (id),
  -- Address of the provider without a trailing slash, and its identifier of the account.
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  -- Account of the operator that linked it; null if it was linked on the host.
  linked_by text,
  created_at bigint not null,
  -- Until then the host allows the password although a setting forbids it.
  password_until bigint,
  unique (issuer, subject)
);

-- Open logins, by the hash of a token that only the browser has.
create table oidc_login (
  flow_hash text primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  -- The answer of the provider was taken. It is checked once, whatever it turns out to be.
  answered boolean not null default false,
  -- Set once the answer is verified; a second factor may still be missing.
  operator_id bigint,
  subject text,
  allowed_abilities int[],
  expires_at bigint not null
);
create index oidc_login_age on oidc_login (expires_at);

alter table session
  add column by_oidc boolean not null default false,
  -- What the groups at the provider allow; null: everything that the operator has.
  add column allowed_abilities int[];
-- The limit of the session that requested the job.
alter table export_job add column allowed_abilities int[];

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  in_tree constant text := format($q$(get_bit((select %1$s), least(greatest(operator_id, 0),
    (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
begin
  foreach t in array array['oidc_link', 'oidc_login'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  -- An operator links agents below.
  execute format('create policy own_tree on oidc_link for select using (%s)', in_tree);
  execute format('create policy own_tree_insert on oidc_link for insert with check (%s)', in_tree);
  execute format('create policy own_tree_delete on oidc_link for delete using (%s)', in_tree);
end
$$;
grant select, insert, delete on oidc_link, oidc_login to {{app}};
grant update (password_until) on oidc_link to {{app}};
grant update (answered, operator_id, subject, allowed_abilities, expires_at) on oidc_login to {{app}};
