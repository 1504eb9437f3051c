-- Four-eyes can be locked: nobody, the top-level admin included, moves money or loosens protection alone.

alter table installation
  add column four_eyes_locked_at bigint,
  add column four_eyes_locked_by text,
  add column four_eyes_confirmed_by text,
  -- Set by commands on the host; screens warn of them for some days.
  add column four_eyes_unlocked_at bigint,
  add column approver_appointed_at bigint;

-- The serving role can lock four-eyes and never unlock them: that takes the owner, on the host.
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
revoke all on function lock_four_eyes(text, text, bigint) from public;
grant execute on function lock_four_eyes(text, text, bigint) to {{app}};

-- Null: counts at once. Set for a grant of the approval ability made while four-eyes are locked.
alter table agent_grant add column effective_at bigint;
grant update (effective_at) on agent_grant to {{app}};

alter table approval
  add column required smallint not null default 1 check (required in (1, 2)),
  -- Until when an approval permits its maker one call, and when that call was made.
  add column permit_until bigint,
  add column permit_used_at bigint;

-- The first of two checkers.
create table approval_vote (
  approval_id bigint not null references approval (id),
  checker_id bigint not null references agent (id),
  created_at bigint not null,
  primary key (approval_id, checker_id)
);
grant select, insert on approval_vote to {{app}};

-- Who made, granted something to, or reset the login of an operator without a second person: the two are not independent.
create table operator_control (
  operator_id bigint not null references agent (id),
  controller_id bigint not null references agent (id),
  how text not null check (how in ('made', 'granted', 'reset')),
  created_at bigint not null,
  primary key (operator_id, controller_id, how)
);
grant select, insert, update, delete on operator_control to {{app}};

-- One-time links by which the owner of an account sets its password. Only the hash of the token is kept.
create table reset_link (
  token_hash text primary key,
  operator_id bigint not null references agent (id),
  approval_id bigint not null references approval (id),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
grant select, insert, update on reset_link to {{app}};

-- Branches between which users or agents moved: for a day their limits count together.
create table branch_move (
  from_branch bigint not null,
  to_branch bigint not null,
  moved_at bigint not null,
  primary key (from_branch, to_branch)
);
grant select, insert, update on branch_move to {{app}};

alter table config_history add column loosens boolean not null default false;

-- Withdrawals of a user whose password an operator reset wait until then.
alter table users add column payout_held_until bigint;

-- Who held a recharge; null when the platform did, or when it was held before this was kept.
alter table recharge add column held_by bigint references agent (id);

alter table policy_use
  add column branch_id bigint,
  -- A second person approved it; it does not count towards the limits of branch and house.
  add column approved boolean not null default false;
-- Partial, so that the look at one user never takes it for its own.
create index policy_use_day on policy_use (policy, created_at) include (branch_id, amount) where not approved;

-- The agent directly below the top-level admin whose tree an agent belongs to; the admin's own accounts are a branch too.
create function branch_of(agent bigint) returns bigint
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(
    (select c.ancestor from closure c join agent a on a.id = c.ancestor where c.descendant = branch_of.agent and a.depth = 1),
    branch_of.agent)
$$;

create function branch_of_user(member bigint) returns bigint
language sql stable security definer set search_path = public, pg_temp
as $$ select branch_of(u.agent_id) from users u where u.id = member $$;

-- Whether an amount, with what was done alone since then, is above the limit of the user's branch or of the house. False
-- while four-eyes are open. With `hold`, calls of one policy wait for one another until their transactions end.
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
revoke all on function branch_of(bigint) from public;
revoke all on function branch_of_user(bigint) from public;
revoke all on function exceeds_branch_or_house(text, bigint, numeric, numeric, bigint, boolean) from public;
grant execute on function branch_of(bigint) to {{app}};
grant execute on function branch_of_user(bigint) to {{app}};
grant execute on function exceeds_branch_or_house(text, bigint, numeric, numeric, bigint, boolean) to {{app}};

do $$
declare
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  t text;
begin
  foreach t in array array['approval_vote', 'operator_control', 'reset_link', 'branch_move'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
    execute format('create policy shared on %I using (%s) with check (%s)', t, scope_set, scope_set);
  end loop;
end
$$;

-- Locking four-eyes is about the whole house: every approver sees the request, and one of them confirms it.
create policy house_requests on approval for select using (
  target_type = 'installation' and (select coalesce(current_setting('app.scope', true), '')) <> '');
create policy house_requests_update on approval for update using (
  target_type = 'installation' and (select coalesce(current_setting('app.scope', true), '')) <> '');
