-- Keys of people who sign payouts, the rosters and mandates that they signed, and every signature.

-- The first lock may wait, the others must not: nobody waits for a table that this holds.
lock table withdraw in share row exclusive mode;
lock table approval, agent in share row exclusive mode nowait;

create table signing_key (
  id bigint generated always as identity primary key,
  -- Id of the credential, base64url.
  key text not null unique,
  operator_id bigint not null references agent (id),
  person text not null,
  -- SPKI of a P-256 key in DER, base64url.
  public_key text not null unique,
  created_at bigint not null
);
create index signing_key_operator on signing_key (operator_id, id);

-- Rosters and mandates. One that is in force stays as it is until it is closed.
create table signing_proposal (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('roster', 'mandate')),
  -- Version of the roster, or of the one that the mandate is valid under.
  version int not null,
  text text not null,
  -- SHA-256 of the text.
  digest text not null,
  -- 0 open, 1 in force, 2 closed; a roster that was replaced stays 1, the highest version counts.
  state smallint not null check (state in (0, 1, 2)),
  by_account text not null,
  created_at bigint not null,
  decided_at bigint
);
create unique index signing_proposal_digest on signing_proposal (digest) where state < 2;
create unique index signing_roster on signing_proposal (version) where kind = 'roster' and state = 1;

-- What people signed. Append-only.
create table signature (
  id bigint generated always as identity primary key,
  operator_id bigint not null,
  person text not null,
  key text not null,
  -- Version of the roster that the key is in.
  roster int not null,
  -- Digests of the texts, in the order in which they were shown.
  digests text[] not null,
  consent text not null,
  authenticator_data text not null,
  client_data text not null,
  signature text not null,
  -- Time in the consent, from the clock of the signing page.
  signed_at bigint not null,
  created_at bigint not null
);
create index signature_digests on signature using gin (digests);

-- The text of each payout that waits for signatures, or was ordered with them. Append-only.
create table payout_text (
  approval_id bigint primary key references approval (id),
  withdraw_id bigint not null references withdraw (id),
  attempt int not null,
  text text not null,
  created_at bigint not null
);
create index payout_text_withdraw on payout_text (withdraw_id, attempt);

-- Append-only.
create table payout_signature (
  approval_id bigint not null references payout_text (approval_id),
  signature_id bigint not null references signature (id),
  primary key (approval_id, signature_id)
);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  of_withdraw constant text := $q$exists (select from withdraw w where w.id = payout_text.withdraw_id)$q$;
  of_payout constant text := $q$exists (select from payout_text p where p.approval_id = payout_signature.approval_id)$q$;
begin
  foreach t in array array['signing_key', 'signing_proposal', 'signature', 'payout_text', 'payout_signature'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  -- Both belong to the withdrawal, whose own policy limits the subquery.
  execute format('create policy own_tree on payout_text for select using (%s)', of_withdraw);
  execute format('create policy own_tree_insert on payout_text for insert with check (%s)', of_withdraw);
  execute format('create policy own_tree on payout_signature for select using (%s)', of_payout);
  execute format('create policy own_tree_insert on payout_signature for insert with check (%s)', of_payout);
end
$$;
grant select, insert on signing_key, signing_proposal, signature, payout_text, payout_signature to {{app}};
grant update (state, decided_at) on signing_proposal to {{app}};
