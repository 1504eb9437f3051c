-- Exports too long to be answered at once. The files lie beside the database; a row says whose a file is, what it holds,
-- and which agents its maker saw when it was made (null: all of them).
create table export_job (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  list text not null,
  title text not null,
  input jsonb not null,
  filters text not null,
  format text not null check (format in ('xlsx', 'csv')),
  zone text not null,
  agents bigint[],
  session_id bigint,
  ip text not null,
  user_agent text not null,
  request_id text not null,
  state smallint not null default 0 check (state between 0 and 5),
  attempt integer not null default 0,
  total bigint not null,
  done bigint not null default 0,
  size bigint,
  file text not null default '',
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  started_at bigint,
  finished_at bigint,
  expires_at bigint,
  check ((state = 2) <= (size is not null and expires_at is not null and file <> ''))
);
create index export_job_operator on export_job (operator_id, id desc);
create index export_job_open on export_job (state, id) where state in (0, 1, 2);

grant select, insert, update, delete on export_job to {{app}};

-- Held by the process that makes a file, one over all of them.
insert into job_lease (name, holder, until) values ('export', '', 0) on conflict (name) do nothing;

alter table export_job enable row level security;
create policy everything on export_job
  using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
create policy own on export_job
  using (operator_id = nullif((select current_setting('app.operator', true)), '')::bigint)
  with check (operator_id = nullif((select current_setting('app.operator', true)), '')::bigint);
