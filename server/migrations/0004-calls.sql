create table session (
  id bigint generated always as identity primary key,
  operator_id bigint not null references agent (id),
  device_hash text not null default '',
  ip text not null,
  user_agent text not null,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  absolute_at bigint not null,
  ended_at bigint,
  end_reason text not null default ''
);
create index session_operator on session (operator_id) where ended_at is null;
create index session_seen on session (last_seen_at) where ended_at is null;

-- The tokens of a session: the database holds SHA-256 of them only.
create table session_token (
  hash text primary key,
  session_id bigint not null references session (id),
  previous text,
  issued_at bigint not null,
  used_at bigint
);
create index session_token_previous on session_token (previous);
create index session_token_session on session_token (session_id);

create table device (
  operator_id bigint not null references agent (id),
  hash text not null,
  created_at bigint not null,
  last_at bigint not null,
  primary key (operator_id, hash)
);

-- Wrong guesses by account (or by known device) and hour, whoever asks and whatever server process answers.
create table login_guard (
  name text not null,
  hour bigint not null,
  tries integer not null,
  primary key (name, hour)
);

-- The first answer to each key; written in the transaction of its effect.
create table idempotency (
  operator_id bigint not null,
  path text not null,
  key text not null,
  body_hash text not null,
  -- json and not jsonb: the same answer again, to the letter.
  answer json,
  created_at bigint not null,
  primary key (operator_id, path, key)
);
create index idempotency_age on idempotency (created_at);

create table audit (
  id bigint generated always as identity primary key,
  operator_id bigint,
  operator text,
  operator_key text generated always as (lower(operator)) stored,
  session_id bigint,
  ip text not null,
  user_agent text not null,
  action text not null,
  target_type text,
  target_id bigint,
  user_id bigint,
  account text,
  account_key text generated always as (lower(account)) stored,
  agent_id bigint,
  before jsonb,
  after jsonb,
  reason text not null default '',
  approval_id bigint,
  result integer not null,
  request_id text not null,
  created_at bigint not null,
  recorded_at bigint not null
);
create index audit_operator on audit (operator_id, id desc);
create index audit_target on audit (target_type, target_id);
create index audit_agent on audit (agent_id, id desc);
create index audit_user on audit (user_id, id desc);

-- What the sealer has not chained yet; a row is put here together with its audit row.
create table audit_pending (audit_id bigint primary key);

create table audit_seal (
  seq bigint primary key,
  audit_id bigint not null unique,
  rule smallint not null,
  hash text not null,
  sealed_at bigint not null
);

create table approval (
  id bigint generated always as identity primary key,
  action text not null,
  target_type text not null,
  target_id bigint not null,
  user_id bigint,
  agent_id bigint,
  input jsonb not null,
  hash text not null,
  amount numeric(36, 18),
  maker_id bigint not null references agent (id),
  checker_id bigint references agent (id),
  state smallint not null default 0 check (state between 0 and 4),
  reason text not null default '',
  answer text not null default '',
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  decided_at bigint,
  constraint maker_is_never_checker check (state <> 1 or (checker_id is not null and checker_id <> maker_id))
);
create unique index approval_one_open on approval (action, target_type, target_id) where state = 0;
create index approval_maker on approval (maker_id, user_id, created_at);
create index approval_state on approval (state, id desc);

-- Who does a job now; until says when another may take it.
create table job_lease (
  name text primary key,
  holder text not null,
  until bigint not null
);

-- What each operator did for each user under a policy that knows an amount: policies look back over a day of it.
create table policy_use (
  id bigint generated always as identity primary key,
  policy text not null,
  operator_id bigint not null references agent (id),
  user_id bigint,
  amount numeric(36, 18),
  created_at bigint not null
);
create index policy_use_maker on policy_use (operator_id, policy, user_id, created_at);
