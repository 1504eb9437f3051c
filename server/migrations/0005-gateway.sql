-- Every event that had an effect, for ever.
create table inbox (
  event_id text primary key,
  type text not null,
  created_at bigint not null,
  recorded_at bigint not null
);

-- Outgoing commands; seq is given to committed rows only, so a reader that goes on from a seq never skips one.
create table command (
  id bigint generated always as identity primary key,
  type text not null,
  ref_type text not null,
  ref_id bigint not null,
  data jsonb not null,
  state smallint not null default 0 check (state between 0 and 4),
  attempt integer not null default 0,
  seq bigint unique,
  reason text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  sent_at bigint,
  due_at bigint,
  done_at bigint
);
create index command_unnumbered on command (id) where seq is null and state = 0;
create index command_open on command (seq) where state in (0, 1);
create index command_due on command (due_at) where state = 1;
create index command_ref on command (ref_type, ref_id);

create table command_seq (
  one boolean primary key default true check (one),
  last bigint not null
);
insert into command_seq (last) values (0);
