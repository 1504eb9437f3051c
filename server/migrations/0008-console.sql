-- What the console shows besides records: notifications, views, customer service, announcements, reports and exports.

-- Notifications, written in the transaction of their cause and kept for a week. Only committed rows get a seq, so a
-- reader that continues from a seq never skips one.
create table notice (
  id bigint generated always as identity primary key,
  seq bigint unique,
  type text not null,
  noun text not null,
  ref_type text not null,
  ref_id bigint not null,
  user_id bigint references users (id),
  agent_id bigint references agent (id),
  -- The maker of a request, who is notified of its result.
  operator_id bigint references agent (id),
  market_id bigint references market (id),
  amount numeric(36, 18),
  state smallint,
  detail text not null default '',
  created_at bigint not null,
  recorded_at bigint not null
);
create index notice_unnumbered on notice (id) where seq is null;
create index notice_agent on notice (agent_id, seq desc);
create index notice_operator on notice (operator_id, seq desc) where operator_id is not null;
create index notice_age on notice (recorded_at);

-- The last seq of a notification.
create table notice_seq (
  one boolean primary key default true check (one),
  last bigint not null
);

insert into notice_seq (last) values (0);

-- Preferences of operators. Values are JSON text, because the database never searches them.
create table preference (
  operator_id bigint not null references agent (id),
  key text not null check (length(key) between 1 and 100),
  value text not null check (octet_length(value) <= 8192),
  updated_at bigint not null,
  primary key (operator_id, key)
);

-- Views of lists that operators saved.
create table saved_view (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  list text not null,
  name text not null check (length(name) between 1 and 20),
  name_key text generated always as (lower(name)) stored,
  query text not null check (length(query) <= 2000),
  columns text check (octet_length(columns) <= 8192),
  shared smallint not null check (shared in (0, 1)),
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  constraint saved_view_one_name unique (operator_id, list, name_key)
);

-- Announcements of the whole platform.
create table announce (
  id bigint generated always as identity primary key,
  lang text not null check (lang in ('zh-CN', 'zh-TW', 'en', 'ja', 'ko', 'vi', 'th')),
  title text not null check (title <> ''),
  title_key text generated always as (lower(title)) stored,
  -- Sanitized before it is stored.
  content text not null,
  platform smallint not null check (platform between 0 and 2),
  state smallint not null check (state in (0, 1)),
  by_account text not null,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index announce_title on announce (title_key text_pattern_ops);
create index announce_shown on announce (lang, id desc) where state = 1;

-- Customer service: one conversation for each user.
create table service (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users (id),
  agent_id bigint not null references agent (id),
  state smallint not null default 1 check (state in (0, 1)),
  -- The operator who handles the conversation. The user is always in the scope of this operator.
  assignee_id bigint references agent (id),
  -- How many messages the user has written, and how many of them were read.
  received integer not null default 0,
  read_count integer not null default 0,
  unread integer not null generated always as (received - read_count) stored,
  last_id bigint,
  last_text text not null default '',
  last_side smallint not null default 0 check (last_side between 0 and 2),
  last_at bigint not null,
  -- Sort key: unread conversations first, then by the last message.
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

-- Messages of conversations; append-only. `no` is the platform's number of a message of the user. The number of a
-- reply is derived from its id.
create table service_message (
  id bigint generated always as identity primary key,
  service_id bigint not null references service (id),
  user_id bigint not null references users (id),
  agent_id bigint not null references agent (id),
  no text unique,
  side smallint not null check (side in (1, 2)),
  -- Number of messages of the user up to this one, so that read_count can be set without counting.
  received integer not null,
  text text not null,
  -- An image as a data: URL, or a URL of the platform; empty if there is none.
  image text not null default '',
  operator_id bigint references agent (id),
  created_at bigint not null,
  recorded_at bigint not null,
  constraint service_message_writer check ((side = 1) = (no is not null) and (side = 2) = (operator_id is not null)),
  constraint service_message_says check (text <> '' or image <> '')
);
create index service_message_place on service_message (service_id, id);
create index service_message_user on service_message (user_id);

-- Images are compressed already.
alter table service_message alter column image set storage external;

-- Replies that operators keep to answer with.
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

-- Which process runs a job, and until when.
create table job_lease (
  name text primary key,
  holder text not null,
  until bigint not null
);

-- Exports that take too long for one response. The files are beside the database. agents are those in the scope of the
-- operator when the export began; null means all.
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

-- The lease of the process that writes export files.
insert into job_lease (name, holder, until) values ('export', '', 0);

-- The time zone of the days in fund_day. If the installation gets another zone, all days are computed again.
create table fund_book (one boolean primary key default true check (one), zone text not null);

insert into fund_book (zone) values ('Asia/Shanghai');

-- Flows that are not in fund_day yet. type is that of the entry, or 100 if a user moved.
create table fund_delta (
  id bigint generated always as identity primary key,
  agent_key bigint not null,
  market_key bigint not null,
  type integer not null,
  at bigint not null,
  amount_in numeric(60, 18) not null,
  amount_out numeric(60, 18) not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0);

-- Money that came to and went from users, by agent, day, coin and type. A transfer inside one user is not counted. The
-- figures of an agent stay with it: a user who moves takes along the balance, not the past flows.
create table fund_day (
  agent_key bigint not null,
  -- Days since 1970-01-01.
  day integer not null,
  market_key bigint not null,
  type integer not null,
  amount_in numeric(60, 18) not null,
  amount_out numeric(60, 18) not null,
  primary key (agent_key, day, market_key, type)
);
create index fund_day_by_day on fund_day (day);

-- The sum of fund_day by agent and coin, which is what the users of the agent have now.
create table fund_sum (
  agent_key bigint not null,
  market_key bigint not null,
  amount numeric(60, 18) not null,
  primary key (agent_key, market_key)
);

-- Moves of users between agents. Entries up to last_entry were posted below agent_from.
create table fund_move (
  id bigint generated always as identity primary key,
  mover_id bigint not null references users (id),
  agent_from bigint not null references agent (id),
  agent_to bigint not null references agent (id),
  last_entry bigint not null,
  at bigint not null
);
create index fund_move_mover on fund_move (mover_id, id);

-- Merkle sum trees over the balances of all users at one time. state: 0 waiting, 1 running, 2 done, 3 failed.
create table liability (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  operator text not null,
  state smallint not null default 0 check (state between 0 and 3),
  attempt integer not null default 0,
  version smallint not null,
  at bigint,
  users integer not null default 0,
  done integer not null default 0,
  root text not null default '',
  -- [{marketName, amount, ledger}]: sums of the root, and what the ledger says that users own.
  totals jsonb not null default '[]',
  matches smallint check (matches in (0, 1)),
  reason text not null default '',
  created_at bigint not null,
  updated_at bigint not null
);
-- Only one tree at a time is computed.
create unique index liability_one on liability ((true)) where state < 2;
create index liability_state on liability (state, id desc);

-- Nodes of the trees. Level 0 has the leaves. A node does not name its user.
create table liability_node (
  liability_id bigint not null references liability (id),
  level smallint not null,
  idx integer not null,
  hash text not null,
  sums text[] not null,
  primary key (liability_id, level, idx)
);

-- The leaf of each user, with the salt of its hash.
create table liability_leaf (
  liability_id bigint not null references liability (id),
  owner_id bigint not null references users (id),
  idx integer not null,
  salt text not null,
  primary key (liability_id, owner_id)
);
