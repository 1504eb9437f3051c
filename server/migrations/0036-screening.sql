-- Screening of addresses and names by providers of the platform: requests, answers, and bypasses. Address lists of the house.

-- No foreign keys to withdrawals, identity reviews and operators: their rows are never deleted, and the migration must not
-- lock the tables.

-- What the platform was asked to screen.
create table screening (
  id bigint generated always as identity primary key,
  target_type text not null check (target_type in ('withdraw', 'auth')),
  target_id bigint not null,
  -- Null: the system, with the record itself.
  by_account text,
  created_at bigint not null,
  due_at bigint not null,
  -- Why the platform could not ask a provider.
  failure text
);
create index screening_target on screening (target_type, target_id, id);

-- What providers said. Append-only: an answer is never replaced by a later one.
create table screening_answer (
  id bigint generated always as identity primary key,
  screening_id bigint not null references screening (id),
  provider text not null,
  result text not null check (result in ('clear', 'hit', 'unknown')),
  score smallint check (score between 0 and 100),
  categories text[] not null,
  reference text not null,
  created_at bigint not null,
  recorded_at bigint not null
);
create index screening_answer_request on screening_answer (screening_id, id);

-- Decisions to pass a record nevertheless. Append-only. A bypass covers only what was known.
create table screening_bypass (
  id bigint generated always as identity primary key,
  target_type text not null,
  target_id bigint not null,
  -- What it covers: answers, and entries of address lists.
  answer_ids bigint[] not null,
  entry_ids bigint[] not null,
  reason text not null,
  by_account text not null,
  second_by text,
  created_at bigint not null
);
create index screening_bypass_target on screening_bypass (target_type, target_id, id);

-- Address lists of the house. Entries are removed by a mark, so that old decisions can be explained.
create table address_entry (
  id bigint generated always as identity primary key,
  list smallint not null check (list in (1, 2, 3)),
  -- Empty: every network.
  network text not null,
  address text not null,
  -- The address in the form in which it is compared.
  address_key text not null,
  reason text not null,
  source text not null,
  expires_at bigint,
  by_account text not null,
  created_at bigint not null,
  removed_at bigint,
  removed_by text
);
create unique index address_entry_active on address_entry (address_key, list, network) where removed_at is null;
create index address_entry_list on address_entry (list, id) where removed_at is null;

-- Files with addresses, with what they contained.
create table address_import (
  id bigint generated always as identity primary key,
  list smallint not null,
  state smallint not null,
  file_name text not null,
  source text not null,
  published_at bigint not null,
  checksum text not null,
  entries jsonb not null,
  added integer not null,
  removed integer not null,
  by_account text not null,
  created_at bigint not null,
  applied_at bigint
);

-- While an answer is awaited, the system decides when the time for it is over. An answer adds a candidate that is ready.
alter table auto_candidate add column ready_at bigint not null default 0, drop constraint auto_candidate_pkey,
  add primary key (ready_at, withdraw_id);
create index auto_candidate_withdraw on auto_candidate (withdraw_id);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  -- The policies of the record's table limit the subquery.
  of_record constant text := $q$(case %1$I.target_type
    when 'withdraw' then exists (select from withdraw r where r.id = %1$I.target_id)
    when 'auth' then exists (select from auth r where r.id = %1$I.target_id)
    else false end)$q$;
  of_request constant text := $q$exists (select from screening s where s.id = screening_answer.screening_id)$q$;
begin
  foreach t in array array['screening', 'screening_answer', 'screening_bypass', 'address_entry', 'address_import'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  foreach t in array array['screening', 'screening_bypass'] loop
    execute format('create policy of_record on %I for select using (%s)', t, format(of_record, t));
    execute format('create policy of_record_insert on %I for insert with check (%s)', t, format(of_record, t));
  end loop;
  execute format('create policy of_request on screening_answer for select using (%s)', of_request);
end
$$;
grant select, insert on screening, screening_answer, screening_bypass, address_entry, address_import to {{app}};
grant update (failure) on screening to {{app}};
grant update (removed_at, removed_by) on address_entry to {{app}};
grant update (state, added, removed, applied_at) on address_import to {{app}};
