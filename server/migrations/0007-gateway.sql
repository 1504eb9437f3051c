-- Events from the platform and commands to it.

-- Every event that had an effect. Rows are never removed, so that a repeated event has no second effect.
create table inbox (
  event_id text primary key,
  type text not null,
  created_at bigint not null,
  recorded_at bigint not null
);

-- Commands to the platform. Only committed rows get a seq, so a reader that continues from a seq never skips one.
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
  done_at bigint,
  -- Who last retried the command or resolved its unknown outcome.
  by_account text
);
create index command_unnumbered on command (id) where seq is null and state = 0;
create index command_open on command (seq) where state in (0, 1);
create index command_due on command (due_at) where state = 1;
create index command_ref on command (ref_type, ref_id);
create index command_unknown on command (type) where state = 4;
create index command_attention on command (id) where state in (3, 4);

-- The last seq of a command.
create table command_seq (
  one boolean primary key default true check (one),
  last bigint not null
);

insert into command_seq (last) values (0);
