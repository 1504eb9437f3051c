-- Work queues: who holds a record, what was agreed about it, and who is absent.

-- The first lock may wait, the others must not: nobody waits for a table that this holds.
lock table agent in share row exclusive mode;

-- Who works on a record. The tab renews the lease; ended claims are kept for reports.
create table claim (
  id bigint generated always as identity primary key,
  queue text not null,
  target_type text not null,
  target_id bigint not null,
  operator_id bigint not null references agent (id),
  tab text not null,
  -- When the record began to wait in the queue.
  waiting_since bigint not null,
  since bigint not null,
  lease_until bigint not null,
  ended_at bigint
);
-- One tab holds a record.
create unique index claim_open on claim (target_type, target_id) where ended_at is null;
create index claim_lease on claim (lease_until) where ended_at is null;
create index claim_target on claim (target_type, target_id, operator_id, id);

-- What is agreed about a record while it waits.
create table queue_item (
  target_type text not null,
  target_id bigint not null,
  parked_until bigint,
  assignee_id bigint references agent (id),
  escalated boolean not null default false,
  -- Begin of the wait that operators were notified of, because it exceeded the target.
  overdue_since bigint,
  updated_at bigint not null,
  primary key (target_type, target_id)
);
create index queue_item_assignee on queue_item (assignee_id) where assignee_id is not null;

-- What operators said and did about a record besides deciding it. Append-only.
create table queue_event (
  id bigint generated always as identity primary key,
  target_type text not null,
  target_id bigint not null,
  kind text not null check (kind in ('park', 'handOver', 'escalate', 'comment')),
  operator_id bigint not null references agent (id),
  text text not null,
  until bigint,
  -- Who got the record, or who was mentioned.
  operator_ids bigint[] not null default '{}',
  created_at bigint not null,
  recorded_at bigint not null
);
create index queue_event_target on queue_event (target_type, target_id, id);

create table absence (
  operator_id bigint primary key references agent (id),
  -- Null until the operator returns.
  back_at bigint,
  created_at bigint not null
);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  operator constant text := $q$nullif((select current_setting('app.operator', true)), '')::bigint$q$;
  bits constant text := $q$nullif(current_setting('app.tree', true), '')::bytea$q$;
  in_tree constant text := format($q$(get_bit((select %1$s), least(greatest(operator_id, 0),
    (select octet_length(%1$s)::bigint * 8 - 1))) <> 0)$q$, bits);
  -- The policies of the record's table limit the subquery.
  of_record constant text := $q$(case %1$I.target_type
    when 'withdraw' then exists (select from withdraw r where r.id = %1$I.target_id)
    when 'auth' then exists (select from auth r where r.id = %1$I.target_id)
    when 'ieo' then exists (select from ieo r where r.id = %1$I.target_id)
    when 'approval' then exists (select from approval r where r.id = %1$I.target_id)
    when 'alarm' then exists (select from alarm r where r.id = %1$I.target_id)
    when 'recharge' then exists (select from recharge r where r.id = %1$I.target_id)
    else false end)$q$;
begin
  foreach t in array array['claim', 'queue_item', 'queue_event', 'absence'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  foreach t in array array['claim', 'queue_item', 'queue_event'] loop
    execute format('create policy of_record on %I using (%s) with check (%s)', t, format(of_record, t),
      format(of_record, t));
  end loop;
  execute format('create policy own on absence using (operator_id = %1$s) with check (operator_id = %1$s)', operator);
  execute format('create policy own_tree on absence for select using (%s)', in_tree);
end
$$;
grant select, insert on claim, queue_item, queue_event, absence to {{app}};
grant update (lease_until, ended_at) on claim to {{app}};
grant update (parked_until, assignee_id, escalated, overdue_since, updated_at) on queue_item to {{app}};
grant update (back_at, created_at) on absence to {{app}};
grant delete on absence to {{app}};
