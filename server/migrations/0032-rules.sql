-- Rules over withdrawals: what was known of each withdrawal when it was requested, the rules with all their versions, and
-- what the rules said.

-- One row for each withdrawal. A column is a fact of the contract's catalogue; null means that it is not known.
-- Append-only. Facts never follow a user to another agent: agent and branch are those of the time.
-- No foreign key: a withdrawal is never deleted, and the migration must not lock its table.
create table withdraw_fact (
  withdraw_id bigint primary key,
  created_at bigint not null,

  coin bigint not null,
  agent bigint,
  branch bigint,
  count1h integer,
  count24h integer,
  count7d integer,
  count30d integer,
  near_four_eyes24h integer,
  near_limit24h integer,
  rejected_count integer,
  user_days integer,
  login_hours integer,
  login_ips24h integer,
  credential_hours integer,
  address_days integer,
  address_paid integer,
  address_users integer,
  address_frozen_users integer,
  address_rejected_users integer,
  recharges1h integer,
  recharges24h integer,
  recharges7d integer,
  recharge_minutes integer,
  kyc_level smallint,
  risk_first_address boolean,
  risk_shared_address boolean,
  risk_over_limit boolean,
  risk_credential_changed boolean,
  risk_ledger_mismatch boolean,
  risk_manual_balance boolean,
  login_new_ip boolean,
  login_new_device boolean,
  amount numeric(36, 18) not null,
  amount_usdt numeric(36, 18),
  fee_share numeric(60, 18),
  sum1h numeric(60, 18),
  sum24h numeric(60, 18),
  sum7d numeric(60, 18),
  sum30d numeric(60, 18),
  recharge_share numeric(60, 18),
  net_deposit numeric(60, 18),
  manual_share numeric(60, 18),
  price_move1h numeric(60, 18),
  price_move24h numeric(60, 18),
  network text not null
);
-- Counts the rows of a period, and finds the newest of a day.
create index withdraw_fact_created on withdraw_fact (created_at);

-- How far the facts of earlier withdrawals are recorded: every withdrawal up to this id has its row.
create table fact_backfill (
  one boolean primary key default true check (one),
  reached bigint not null default 0
);
insert into fact_backfill default values;

create table rule (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- 0 draft, 1 on trial, 2 in effect, 3 disabled.
  state smallint not null check (state between 0 and 3),
  -- Number of the current version.
  version integer not null,
  -- Empty for a rule that came with the installation.
  by_account text not null,
  created_at bigint not null,
  updated_at bigint not null
);

-- Every version that a rule ever had. Append-only.
create table rule_version (
  id bigint generated always as identity primary key,
  rule_id bigint not null references rule (id),
  version integer not null,
  name text not null,
  conditions jsonb not null,
  actions jsonb not null,
  unknown_hits boolean not null,
  by_account text not null,
  reason text not null,
  created_at bigint not null,
  unique (rule_id, version)
);

-- The versions that run together, numbered without gaps. Append-only: the last one is in force.
create table rule_set (
  number bigint primary key,
  effective bigint[] not null,
  trial bigint[] not null,
  by_account text not null,
  created_at bigint not null
);

-- What a set said about a withdrawal when it was requested. Append-only. hits and trial_hits are ids of rules; the
-- actions are those of the hits.
create table rule_result (
  withdraw_id bigint primary key,
  set_number bigint not null references rule_set (number),
  hits bigint[] not null,
  trial_hits bigint[] not null,
  points integer not null,
  people smallint not null,
  hold boolean not null,
  manual boolean not null,
  open_case boolean not null,
  stop_coin boolean not null
);
-- For the filters of the list.
create index rule_result_hits on rule_result (withdraw_id) include (hits, trial_hits, hold, people)
  where hits <> '{}' or trial_hits <> '{}';

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
begin
  foreach t in array array['withdraw_fact', 'fact_backfill', 'rule', 'rule_version', 'rule_set', 'rule_result'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  -- The result of a withdrawal names its rules.
  execute format('create policy shared on rule for select using (%s)', scope_set);
  -- A result belongs to the withdrawal, whose own policy limits the subquery.
  create policy own_tree on rule_result for select using (
    exists (select from withdraw w where w.id = rule_result.withdraw_id));
end
$$;
grant select, insert on withdraw_fact, rule, rule_version, rule_set, rule_result to {{app}};
grant update (name, state, version, by_account, updated_at) on rule to {{app}};
grant select, update (reached) on fact_backfill to {{app}};
