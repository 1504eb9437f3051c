-- Channels on which notifications leave the house, their outbox, and scheduled exports.

create table channel (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  kind text not null check (kind in ('webhook', 'mail', 'telegram', 'feishu')),
  name text not null check (length(name) between 1 and 20),
  -- Address and webhook key as JSON, encrypted with the key key_id of one-time codes. hint is what screens show.
  secret text not null,
  key_id text not null,
  hint text not null,
  types text[] not null,
  enabled smallint not null check (enabled in (0, 1)),
  sent_at bigint,
  failed_at bigint,
  error text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index channel_operator on channel (operator_id, id);

-- The outbox: one message of one channel. state: 0 waiting, 1 sent, 2 failed, 3 dropped. While a server sends a message,
-- due_at is the end of its lease; attempt tells its result from that of a later lease.
create table delivery (
  id uuid primary key default gen_random_uuid(),
  channel_id bigint not null references channel (id) on delete cascade,
  operator_id bigint not null references agent (id),
  type text not null,
  ref_type text not null,
  ref_id bigint not null,
  count integer not null check (count > 0),
  first_at bigint not null,
  last_at bigint not null,
  state smallint not null default 0 check (state between 0 and 3),
  attempt integer not null default 0,
  due_at bigint not null,
  error text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
-- Notifications of one type are counted in one message until its first attempt.
create unique index delivery_collecting on delivery (channel_id, type) where state = 0 and attempt = 0;
create index delivery_due on delivery (due_at) where state = 0;
create index delivery_channel on delivery (channel_id) where state = 0;
create index delivery_age on delivery (updated_at) where state <> 0;

-- The number of the last notification that has its messages.
create table delivery_cursor (
  one boolean primary key default true check (one),
  last bigint not null
);
insert into delivery_cursor (last) select last from notice_seq;

-- Exports that repeat. next_at is the next slot; a run moves it by one conditional write, so each slot runs once.
create table schedule (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  name text not null check (length(name) between 1 and 20),
  list text not null,
  title text not null,
  query text not null check (length(query) <= 2000),
  columns text[],
  format text not null check (format in ('xlsx', 'csv')),
  period smallint not null check (period between 0 and 2),
  day smallint not null check (day between 1 and 28),
  hour smallint not null check (hour between 0 and 23),
  range smallint not null check (range in (0, 1)),
  enabled smallint not null check (enabled in (0, 1)),
  next_at bigint not null,
  last_at bigint,
  job_id bigint,
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index schedule_operator on schedule (operator_id, id);
create index schedule_due on schedule (next_at) where enabled = 1;

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  own constant text := $q$operator_id = nullif((select current_setting('app.operator', true)), '')::bigint$q$;
begin
  foreach t in array array['channel', 'delivery', 'delivery_cursor', 'schedule'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  foreach t in array array['channel', 'delivery', 'schedule'] loop
    execute format('create policy own on %I using (%s) with check (%s)', t, own, own);
  end loop;
end
$$;
grant select, insert, update, delete on channel, delivery, schedule to {{app}};
grant select, update on delivery_cursor to {{app}};
