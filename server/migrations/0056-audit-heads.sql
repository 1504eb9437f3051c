-- Signed heads of the audit chain, linked by hash. The signing key is outside the database, so the sealer writes the
-- first head over what was sealed before.
create table audit_head (
  number bigint primary key,
  -- SHA-256 of the head before it.
  previous text not null,
  -- Sealed rows up to and including this head's last one.
  rows bigint not null,
  -- The chain's hash at that row.
  hash text not null,
  -- The database's clock, in unix milliseconds.
  at bigint not null,
  -- Public key (SPKI) and Ed25519 signature, in base64.
  key text not null,
  signature text not null
);
create index audit_head_rows on audit_head (rows);

grant select, insert on audit_head to {{app}};
alter table audit_head enable row level security;
create policy everything on audit_head using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
