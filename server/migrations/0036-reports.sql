-- Reports. What came to and went from users each day of the report zone, by agent, coin and type: who posts appends to
-- fund_delta in the same statement, one job adds that up, and what is read is always both together. Money that only goes
-- round within one user (freezes, transfers between its account types) changes no balance and is not counted.
-- An agent's figures stay its own for good: a user that moves leaves what it did and takes along what it has.

-- The zone whose days fund_day is cut by; when the installation gets another, all days are made anew from the entries.
create table fund_book (one boolean primary key default true check (one), zone text not null);
insert into fund_book (zone) select coalesce((select report_zone from installation), 'Asia/Shanghai');

-- type: of the entry; 100 where a user moved.
create table fund_delta (
  id bigint generated always as identity primary key,
  agent_key bigint not null,
  market_key bigint not null,
  type integer not null,
  at bigint not null,
  amount_in numeric(60, 18) not null,
  amount_out numeric(60, 18) not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0);

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

-- All that is in fund_day, by agent and coin: what the agent's users have now.
create table fund_sum (
  agent_key bigint not null,
  market_key bigint not null,
  amount numeric(60, 18) not null,
  primary key (agent_key, market_key)
);

-- Which entries of a user were posted while it stood below another agent: those up to last_entry.
create table fund_move (
  id bigint generated always as identity primary key,
  mover_id bigint not null references users (id),
  agent_from bigint not null references agent (id),
  agent_to bigint not null references agent (id),
  last_entry bigint not null,
  at bigint not null
);
create index fund_move_mover on fund_move (mover_id, id);

-- A Merkle sum tree over the balances of all users at one moment.
-- state: 0 waits, 1 is being made, 2 done, 3 failed.
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
  -- [{marketName, amount, ledger}]: the root's sums, and what the house holds for its users.
  totals jsonb not null default '[]',
  matches smallint check (matches in (0, 1)),
  reason text not null default '',
  created_at bigint not null,
  updated_at bigint not null
);
-- One at a time.
create unique index liability_one on liability ((true)) where state < 2;
create index liability_state on liability (state, id desc);

-- Level 0 are the leaves. No node says whose it is: that is told by liability_leaf, and only there lies the salt.
create table liability_node (
  liability_id bigint not null references liability (id),
  level smallint not null,
  idx integer not null,
  hash text not null,
  sums text[] not null,
  primary key (liability_id, level, idx)
);
create table liability_leaf (
  liability_id bigint not null references liability (id),
  owner_id bigint not null references users (id),
  idx integer not null,
  salt text not null,
  primary key (liability_id, owner_id)
);

-- What operators did in a span of time.
create index audit_created on audit (created_at) include (operator_id, action, result);

grant select, insert, update, delete on fund_delta, fund_day, fund_sum to {{app}};
grant select, update on fund_book to {{app}};
grant select, insert on fund_move to {{app}};
grant select, insert, update on liability to {{app}};
grant select, insert, delete on liability_node, liability_leaf to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  in_scope constant text := $q$%s in (select unnest(nullif(current_setting('app.agents', true), '')::bigint[]))$q$;
begin
  foreach t in array array['fund_book', 'fund_delta', 'fund_day', 'fund_sum', 'fund_move', 'liability', 'liability_node',
    'liability_leaf'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  foreach t in array array['fund_delta', 'fund_day', 'fund_sum'] loop
    execute format('create policy own_tree on %I for select using (%s)', t, format(in_scope, 'agent_key'));
  end loop;
  execute format('create policy own_tree_insert on fund_delta for insert with check (%s)', format(in_scope, 'agent_key'));
  execute format('create policy own_tree_insert on fund_move for insert with check (%s and %s)',
    format(in_scope, 'agent_from'), format(in_scope, 'agent_to'));
  execute format('create policy shared on fund_book for select using (%s)', scope_set);
  -- Roots and sums are published; whose leaf is which is told where the user is.
  execute format('create policy shared on liability for select using (%s)', scope_set);
  execute format('create policy shared on liability_node for select using (%s)', scope_set);
  execute format('create policy own_users on liability_leaf for select using (exists (
    select from users u where u.id = owner_id and %s))', format(in_scope, 'u.agent_id'));
end
$$;

-- What is there already. Days begin at quarters of an hour everywhere, so nothing of two days is put together.
insert into fund_delta (agent_key, market_key, type, at, amount_in, amount_out)
select e.agent_id, e.market_id, e.type, min(e.created_at), sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
from entry e join entry o on o.leg_id = e.leg_id and o.side = -e.side
where e.user_id is not null and o.user_id is distinct from e.user_id
group by 1, 2, 3, e.created_at / 900000;
