-- What operators keep about a user, and what moving and deleting one needs.

-- Every login that the platform reported, for 180 days.
create table user_login (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  ip text not null,
  device text,
  created_at bigint not null,
  recorded_at bigint not null
);
create index user_login_user on user_login (user_id, created_at desc, id desc);
create index user_login_age on user_login (created_at);

-- Operators' notes on a user; append-only by grants.
create table user_note (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  text text not null,
  operator_id bigint not null references agent (id),
  created_at bigint not null,
  recorded_at bigint not null
);
create index user_note_user on user_note (user_id, id desc);
create index user_note_agent on user_note (agent_id, id desc);

-- Links into the platform's site, good once and for minutes: the database holds SHA-256 of their tokens only.
create table support_link (
  hash text primary key,
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  operator_id bigint not null references agent (id),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index support_link_user on support_link (user_id);
create index support_link_age on support_link (expires_at);

-- Whose rows these are, so that they follow their user like all others.
alter table alarm add column user_id bigint references users (id);
update alarm a set user_id = r.user_id from recharge r where a.ref_type = 'recharge' and r.id = a.ref_id;
update alarm a set user_id = w.user_id from withdraw w where a.ref_type = 'withdraw' and w.id = a.ref_id;
create index alarm_user on alarm (user_id);
alter table fund_check add column user_id bigint references users (id);
update fund_check c set user_id = e.user_id from entry e where e.id = c.entry_id;
alter table fund_check alter column user_id set not null;
create index fund_check_user on fund_check (user_id);
create index approval_user on approval (user_id);

-- The accounts of a deleted user are closed: whatever comes late, a closed account never holds anything again.
alter table account add column closed smallint not null default 0 check (closed in (0, 1));
alter table account add constraint account_closed_is_empty check (closed = 0 or balance = 0);

-- Of an entry, only whose tree reads it may change; never what was posted.
grant update (agent_id) on entry, credential_change to {{app}};
grant update (closed) on account to {{app}};
grant select, insert, update (agent_id), delete on user_login to {{app}};
grant select, insert, update (agent_id) on user_note to {{app}};
grant select, insert, update (agent_id, used_at), delete on support_link to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  -- Cast inside the sub-select, so that the ids are read once a statement and not once a row.
  in_scope constant text := $q$%s = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
begin
  foreach t in array array['user_login', 'user_note', 'support_link'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    execute format('create policy own_tree on %I using (%s) with check (%s)',
      t, format(in_scope, 'agent_id'), format(in_scope, 'agent_id'));
  end loop;

  -- A user who received a transfer from another tree takes its own end of it along.
  execute format('create policy receiving_tree_update on internal_transfer for update using (%s)',
    format(in_scope, 'to_agent_id'));

  -- Audit rows are sealed and stay as they are; those about a user are read where the user is now.
  drop policy own_tree on audit;
  execute format('create policy own_tree on audit for select using (
    case when user_id is null then %s else user_id in (select u.id from users u) end)', format(in_scope, 'agent_id'));
end
$$;
