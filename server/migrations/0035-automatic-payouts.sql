-- Automatic payouts: the budget of each coin with all its versions, what was spent, each decision with its reasons, and the
-- reviews of those drawn.

-- The system passes withdrawals under the policy as well, and is no operator. The only existing table that this locks.
alter table policy_use alter column operator_id drop not null;

-- No foreign keys to markets, withdrawals and operators: their rows are never deleted, and the migration must not lock the
-- tables.

-- Every budget that a coin ever had. Append-only. Amounts are in the coin, days are those of UTC.
create table auto_budget (
  id bigint generated always as identity primary key,
  market_id bigint not null,
  version integer not null,
  enabled boolean not null,
  day_amount numeric(36, 18) not null,
  day_count integer not null,
  user_day_amount numeric(36, 18) not null,
  -- The largest withdrawal of a user by its identity level.
  largest_unverified numeric(36, 18) not null,
  largest_basic numeric(36, 18) not null,
  largest_advanced numeric(36, 18) not null,
  first_by_hand boolean not null,
  -- Share of passed withdrawals that is drawn for a later review.
  review_percent smallint not null check (review_percent between 0 and 100),
  by_account text not null,
  reason text not null,
  created_at bigint not null,
  unique (market_id, version)
);

-- The state of a coin. Decisions about the coin lock its row, so that they follow each other and none follows a stop.
create table auto_coin (
  market_id bigint primary key,
  budget_id bigint not null references auto_budget (id),
  stopped_at bigint,
  stopped_why text,
  -- Null if it stopped by itself.
  stopped_by bigint,
  updated_at bigint not null,
  check ((stopped_at is null) = (stopped_why is null))
);

-- What stops a coin, until an operator starts it again. Only inserted where it happens, so that events wait for no decision.
create table auto_stop_cause (
  id bigint generated always as identity primary key,
  market_id bigint not null,
  why text not null check (why in ('failed', 'unknown', 'rule')),
  withdraw_id bigint not null,
  created_at bigint not null,
  handled_at bigint
);
create index auto_stop_cause_open on auto_stop_cause (market_id, id) where handled_at is null;

-- Withdrawals that wait for a decision of the system.
create table auto_candidate (
  withdraw_id bigint primary key,
  created_at bigint not null
);

-- What the system has passed: of the house (ref_id 0), of a user, and under a signed mandate.
create table auto_spent (
  market_id bigint not null,
  -- Days since 1970.
  day integer not null,
  kind text not null check (kind in ('house', 'user', 'mandate')),
  ref_id bigint not null,
  amount numeric(36, 18) not null,
  count integer not null,
  primary key (market_id, day, kind, ref_id)
);

-- What the system decided. Append-only. The primary key lets it decide once.
create table auto_decision (
  withdraw_id bigint primary key,
  budget_id bigint not null references auto_budget (id),
  set_number bigint,
  passed boolean not null,
  -- Why it was left to people.
  why text,
  house_before numeric(36, 18) not null,
  house_after numeric(36, 18) not null,
  -- Passed on this day, this one included.
  house_count integer not null,
  user_before numeric(36, 18) not null,
  user_after numeric(36, 18) not null,
  mandate_id bigint,
  -- The head of the audit chain that was the seed, and what was drawn from it: 0 to 99.
  head bigint,
  draw smallint,
  drawn boolean not null,
  created_at bigint not null,
  check (passed = (why is null))
);
create index auto_decision_drawn on auto_decision (withdraw_id) where drawn;

-- Reviews of drawn withdrawals. Append-only.
create table auto_review (
  withdraw_id bigint primary key references auto_decision (withdraw_id),
  sound boolean not null,
  reason text not null,
  by_account text not null,
  created_at bigint not null
);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  -- Both belong to the withdrawal, whose own policy limits the subquery.
  of_withdraw constant text := $q$exists (select from withdraw w where w.id = %I.withdraw_id)$q$;
begin
  foreach t in array array['auto_budget', 'auto_coin', 'auto_stop_cause', 'auto_candidate', 'auto_spent', 'auto_decision',
      'auto_review'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  foreach t in array array['auto_decision', 'auto_review'] loop
    execute format('create policy own_tree on %I for select using (%s)', t, format(of_withdraw, t));
  end loop;
  execute format('create policy own_tree_insert on auto_review for insert with check (%s)',
    format(of_withdraw, 'auto_review'));
end
$$;
grant select, insert on auto_budget, auto_coin, auto_stop_cause, auto_candidate, auto_spent, auto_decision, auto_review to {{app}};
grant update (budget_id, stopped_at, stopped_why, stopped_by, updated_at) on auto_coin to {{app}};
grant update (handled_at) on auto_stop_cause to {{app}};
grant update (amount, count) on auto_spent to {{app}};
grant delete on auto_candidate to {{app}};
-- Row locks of candidates need the right to update a column.
grant update (created_at) on auto_candidate to {{app}};
