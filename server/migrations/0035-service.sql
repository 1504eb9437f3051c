-- Customer service: one conversation a user, its messages, and what operators keep to answer with.
create table service (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users (id),
  agent_id bigint not null references agent (id),
  state smallint not null default 1 check (state in (0, 1)),
  -- Who deals with it; always somebody whose tree holds the user.
  assignee_id bigint references agent (id),
  -- How many messages the user has written, and up to which of them they have been read.
  received integer not null default 0,
  read_count integer not null default 0,
  unread integer not null generated always as (received - read_count) stored,
  last_id bigint,
  last_text text not null default '',
  last_side smallint not null default 0 check (last_side between 0 and 2),
  last_at bigint not null,
  -- What is unread comes first, and among those and among the others what was written last.
  turn bigint not null generated always as (case when received > read_count then 100000000000000 else 0 end + last_at) stored,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint service_read check (read_count between 0 and received)
);
create index service_turn on service (turn desc, id desc);
create index service_agent on service (agent_id, state, turn desc);
create index service_unread on service (agent_id) where received > read_count;
create index service_assignee on service (assignee_id) where assignee_id is not null;

-- Append-only. `no` is the platform's number; what goes out is known there by a number made of its id.
create table service_message (
  id bigint generated always as identity primary key,
  service_id bigint not null references service (id),
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  no text unique,
  side smallint not null check (side in (1, 2)),
  -- How many messages of the user there are up to this one: by it a mark is found again without counting.
  received integer not null,
  text text not null,
  -- A picture as a data: address, or an address of the platform; empty where there is none.
  image text not null default '',
  operator_id bigint references agent (id),
  created_at bigint not null,
  recorded_at bigint not null,
  constraint service_message_writer check ((side = 1) = (no is not null) and (side = 2) = (operator_id is not null)),
  constraint service_message_says check (text <> '' or image <> '')
);
alter table service_message alter column image set storage external;
create index service_message_place on service_message (service_id, id);
create index service_message_user on service_message (user_id);

create table service_reply (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  title text not null check (title <> ''),
  text text not null check (text <> ''),
  shared smallint not null check (shared in (0, 1)),
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index service_reply_operator on service_reply (operator_id, id);

grant select, insert on service, service_message to {{app}};
grant update (agent_id, state, assignee_id, received, read_count, last_id, last_text, last_side, last_at, updated_at) on service
  to {{app}};
-- What was written stays as it was; it only goes where its user goes.
grant update (agent_id) on service_message to {{app}};
grant select, insert, update, delete on service_reply to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  in_scope constant text := $q$agent_id = any ((select nullif(current_setting('app.agents', true), '')::bigint[])::bigint[])$q$;
  operator constant text := $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['service', 'service_message', 'service_reply'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  foreach t in array array['service', 'service_message'] loop
    execute format('create policy own_tree on %I for select using (%s)', t, in_scope);
    execute format('create policy own_tree_update on %I for update using (%s)', t, in_scope);
    execute format('create policy own_tree_insert on %I for insert with check (%s)', t, in_scope);
  end loop;
  execute format('create policy own on service_reply using (operator_id = %s) with check (operator_id = %s)', operator, operator);
  -- A shared reply is read below its owner.
  execute format(
    'create policy from_above on service_reply for select using (shared = 1 and exists (
       select from closure c where c.ancestor = operator_id and c.descendant = %s))',
    operator);
end
$$;
-- Who sees a message sees what became of the command that tells the platform of it.
create policy own_messages on command for select
  using (ref_type = 'message' and exists (select from service_message m where m.id = ref_id));
