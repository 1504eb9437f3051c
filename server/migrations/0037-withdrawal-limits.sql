-- Withdrawal limits and fees by identity level and user group, with all their versions, and the terms of each withdrawal.

-- No foreign keys to users, markets and withdrawals: the migration must not lock their tables.

-- A deleted group stays, because withdrawals name it.
create table user_group (
  id bigint generated always as identity primary key,
  name text not null,
  -- Whether operators of agents may put their users into the group and take them out.
  for_agents boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create unique index user_group_name on user_group (lower(name)) where deleted_at is null;

-- The group of a user, at most one.
create table user_group_member (
  user_id bigint primary key,
  group_id bigint not null references user_group (id),
  updated_at bigint not null
);
create index user_group_member_group on user_group_member (group_id, user_id);

-- Every version of the terms of a level or a group for a coin. Append-only; the highest version is in force. Null inherits.
create table withdraw_limit (
  id bigint generated always as identity primary key,
  market_id bigint not null,
  -- Level of identity: 0 none, 1 basic, 2 advanced.
  level smallint check (level between 0 and 2),
  group_id bigint references user_group (id),
  version integer not null check (version > 0),
  enabled boolean,
  min_amount numeric(36, 18),
  -- 0 is no limit, here and in the next two.
  max_amount numeric(36, 18),
  day_amount numeric(36, 18),
  day_count integer,
  fee_fixed numeric(36, 18),
  -- Fraction of the amount.
  fee_rate numeric(36, 18),
  by_account text not null,
  reason text not null,
  created_at bigint not null,
  check ((level is null) <> (group_id is null)),
  unique nulls not distinct (market_id, level, group_id, version)
);

-- The terms by which a withdrawal was judged, and what the user had withdrawn on that day before it. Append-only.
create table withdraw_limit_use (
  withdraw_id bigint primary key,
  level smallint not null,
  group_id bigint,
  -- Versions of `withdraw_limit` for the coin of the withdrawal; null if there was none.
  level_version integer,
  group_version integer,
  min_amount numeric(36, 18) not null,
  max_amount numeric(36, 18) not null,
  day_amount numeric(36, 18) not null,
  day_count integer not null,
  used_amount numeric(36, 18) not null,
  used_count integer not null,
  -- Null if no terms said anything about the fee.
  fee numeric(36, 18)
);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
begin
  foreach t in array array['user_group', 'user_group_member', 'withdraw_limit', 'withdraw_limit_use'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
end
$$;
-- Every operator chooses among the groups. They name no user and no operator.
create policy names on user_group for select using ((select current_setting('app.scope', true)) = 'agents');
-- Both belong to another row, whose own policy limits the subquery.
create policy own_tree on user_group_member
  using (exists (select from users u where u.id = user_group_member.user_id))
  with check (exists (select from users u where u.id = user_group_member.user_id));
create policy own_tree on withdraw_limit_use for select
  using (exists (select from withdraw w where w.id = withdraw_limit_use.withdraw_id));

grant select, insert on user_group, user_group_member, withdraw_limit, withdraw_limit_use to {{app}};
grant update (name, for_agents, updated_at, deleted_at) on user_group to {{app}};
grant update (group_id, updated_at), delete on user_group_member to {{app}};
