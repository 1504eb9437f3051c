-- Audit chain, idempotency, and four-eyes.

-- One row for each mutation, login, refusal and export.
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
create index audit_agent on audit (agent_id, id desc);
create index audit_user on audit (user_id, id desc);
-- Refusals of all operators, which are few among many rows.
create index audit_denied on audit (((result in (401, 403, 428))::int), id desc);
-- Accounts and operators are searched by their whole name or its beginning.
create index audit_account on audit (account_key text_pattern_ops, id desc);
create index audit_operator_key on audit (operator_key text_pattern_ops, id desc);
-- For the work report.
create index audit_created on audit (created_at) include (operator_id, action, result);
-- The newest audit rows of a target.
create index audit_of_target on audit (target_type, target_id, id desc);

-- Audit rows that the sealer has not chained yet. Written together with the audit row.
create table audit_pending (audit_id bigint primary key);

-- Links of the hash chain over the audit rows.
create table audit_seal (
  seq bigint primary key,
  audit_id bigint not null unique,
  rule smallint not null,
  hash text not null,
  sealed_at bigint not null
);

-- Signed heads of the audit chain, linked by hash. The signing key is outside the database.
create table audit_head (
  number bigint primary key,
  -- SHA-256 of the head before it.
  previous text not null,
  -- Sealed rows up to and including this head's last one.
  rows bigint not null,
  -- The chain's hash at that row.
  hash text not null,
  -- The database's clock, in unix milliseconds.
  at bigint not null,
  -- Public key (SPKI) and Ed25519 signature, in base64.
  key text not null,
  signature text not null
);
create index audit_head_rows on audit_head (rows);

-- The first response to each idempotency key. Written in the transaction of its effect.
create table idempotency (
  operator_id bigint not null,
  path text not null,
  key text not null,
  body_hash text not null,
  -- json, not jsonb: a repeated call gets the same bytes.
  answer json,
  created_at bigint not null,
  primary key (operator_id, path, key)
);
create index idempotency_age on idempotency (created_at);

-- Requests of a maker that a checker decides.
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
  required smallint not null default 1 check (required in (1, 2)),
  -- An approval can permit its maker one call: until when, and when that call was made.
  permit_until bigint,
  permit_used_at bigint,
  constraint maker_is_never_checker check (state <> 1 or (checker_id is not null and checker_id <> maker_id))
);
create unique index approval_one_open on approval (action, target_type, target_id) where state = 0;
create index approval_maker on approval (maker_id, user_id, created_at);
create index approval_state on approval (state, id desc);
create index approval_user on approval (user_id);
create index approval_open_user on approval (user_id) where state = 0;

-- The first of two checkers.
create table approval_vote (
  approval_id bigint not null references approval (id),
  checker_id bigint not null references agent (id),
  created_at bigint not null,
  primary key (approval_id, checker_id)
);

-- One-time links by which the owner of an account sets its password. The database holds only the hash of the token.
create table reset_link (
  token_hash text primary key,
  operator_id bigint not null references agent (id),
  approval_id bigint not null references approval (id),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

-- Uses of actions whose policy has a limit. Policies sum them over a day.
create table policy_use (
  id bigint generated always as identity primary key,
  policy text not null,
  operator_id bigint not null references agent (id),
  user_id bigint,
  amount numeric(36, 18),
  created_at bigint not null,
  branch_id bigint,
  -- A second person approved it, so it does not count towards the limits of branch and house.
  approved boolean not null default false
);
create index policy_use_maker on policy_use (operator_id, policy, user_id, created_at);
-- A policy counts what all operators did to one user.
create index policy_use_user on policy_use (policy, user_id, created_at);
-- Partial, so that the lookup of one user never uses it.
create index policy_use_day on policy_use (policy, created_at) include (branch_id, amount) where not approved;

-- Branches between which users or agents moved. For a day their limits count together.
create table branch_move (
  from_branch bigint not null,
  to_branch bigint not null,
  moved_at bigint not null,
  primary key (from_branch, to_branch)
);

-- The serving role can lock four-eyes but not unlock them. Only the owner can, by a command on the host.
create function lock_four_eyes(maker text, checker text, at bigint) returns boolean
language sql security definer set search_path = public, pg_temp
as $$
  with locked as (
    update installation
    set four_eyes_locked_at = at, four_eyes_locked_by = maker, four_eyes_confirmed_by = checker,
      four_eyes_unlocked_at = null, approver_appointed_at = null
    where four_eyes_locked_at is null returning 1
  )
  select exists (select from locked)
$$;

-- Whether an amount, added to what was done without a second person since a time, is above the limit of the user's
-- branch or of the house. False while four-eyes are not locked. With `hold`, calls of one policy wait for each other
-- until their transactions end.
create function exceeds_branch_or_house(
  asked_policy text, member bigint, asked numeric, per_user numeric, since bigint, hold boolean) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  branches bigint[];
  of_branch numeric;
  of_house numeric;
begin
  if member is null or asked is null or (select four_eyes_locked_at is null from installation) then
    return false;
  end if;
  if hold then
    perform pg_advisory_xact_lock(hashtextextended('policy ' || asked_policy, 0));
  end if;
  with recursive joined (branch) as (
    select branch_of_user(member)
    union
    select case when m.from_branch = j.branch then m.to_branch else m.from_branch end
    from joined j join branch_move m on j.branch in (m.from_branch, m.to_branch)
    where m.moved_at > since
  )
  select array_agg(branch) into branches from joined;
  select coalesce(sum(amount) filter (where branch_id = any (branches)), 0), coalesce(sum(amount), 0)
    into of_branch, of_house
    from policy_use
    where policy = asked_policy and created_at > since and not approved and amount is not null;
  return of_branch + asked > coalesce(
      (select nullif(num, 0) from config where key = 'branchLimit.' || asked_policy), per_user * 10)
    or of_house + asked > coalesce(
      (select nullif(num, 0) from config where key = 'houseLimit.' || asked_policy), per_user * 50);
end
$$;
