-- What lies in whose tree, counted and summed as it is written, so that a list of ten million rows knows its total, its sums
-- and the place of any page. Who writes rows appends to roll_delta in the same statement; one job adds that up. What is
-- read is always both together. Sums are wider than amounts, so that no row is refused for what others add up to.
-- Nouns are numbered in server/src/db/rollup.ts; d1 and d2 are what a noun is filtered by.

create table roll_delta (
  id bigint generated always as identity primary key,
  noun smallint not null,
  agent_key bigint not null,
  user_key bigint not null,
  d1 integer not null,
  d2 integer not null,
  -- 0 where rows have no coin.
  market_key bigint not null,
  -- The rows' ids without their last 12 bits.
  block bigint not null,
  n bigint not null,
  s1 numeric(60, 18) not null default 0,
  s2 numeric(60, 18) not null default 0,
  s3 numeric(60, 18) not null default 0,
  -- Within this time the rows were created.
  lo bigint not null,
  hi bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0);

-- kind 0: everything; 1: an agent with all below it; 2: an agent alone; 3: a user, once it has very many rows.
create table roll_sum (
  noun smallint not null,
  kind smallint not null,
  key bigint not null,
  d1 integer not null,
  d2 integer not null,
  market_key bigint not null,
  n bigint not null,
  s1 numeric(60, 18) not null,
  s2 numeric(60, 18) not null,
  s3 numeric(60, 18) not null,
  primary key (noun, kind, key, d1, d2, market_key)
);

-- Keys with many rows are cut into blocks of 2^shift ids; null where the blocks are still to be made.
create table roll_grid (
  noun smallint not null,
  kind smallint not null,
  key bigint not null,
  shift integer,
  -- Blocks that became too full are made anew, of no more than 2^cap ids.
  cap integer,
  primary key (noun, kind, key)
);
create index roll_grid_wanted on roll_grid (noun) where shift is null;

-- Under market_key 0 all coins together, without sums.
create table roll_block (
  noun smallint not null,
  kind smallint not null,
  key bigint not null,
  market_key bigint not null,
  block bigint not null,
  d1 integer not null,
  d2 integer not null,
  n bigint not null,
  s1 numeric(60, 18) not null,
  s2 numeric(60, 18) not null,
  s3 numeric(60, 18) not null,
  lo bigint not null,
  hi bigint not null,
  primary key (noun, kind, key, market_key, block, d1, d2)
);

-- One row: who adds up holds it, and who moves agents writes it, so that no sum is made of two different trees.
create table roll_tree (one boolean primary key default true check (one), version bigint not null default 0);
insert into roll_tree default values;

grant select, insert, update, delete on roll_delta, roll_sum, roll_grid, roll_block to {{app}};
grant select, update on roll_tree to {{app}};

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
  scope_set constant text := $q$(select coalesce(current_setting('app.scope', true), '')) <> ''$q$;
  -- As a set that is hashed once a statement: a tree of thousands is not searched through for each row.
  in_scope constant text := $q$%s in (select unnest(nullif(current_setting('app.agents', true), '')::bigint[]))$q$;
begin
  foreach t in array array['roll_delta', 'roll_sum', 'roll_grid', 'roll_block', 'roll_tree'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
  execute format('create policy shared on roll_tree using (%s) with check (%s)', scope_set, scope_set);
  execute format('create policy own_tree on roll_delta for select using (%s)', format(in_scope, 'agent_key'));
  execute format('create policy own_tree_insert on roll_delta for insert with check (%s)', format(in_scope, 'agent_key'));
  -- A subtree that moves inside the own tree is counted elsewhere in it.
  foreach t in array array['roll_sum', 'roll_grid', 'roll_block'] loop
    execute format('create policy own_tree on %I using (kind in (1, 2) and %s) with check (kind in (1, 2) and %s)',
      t, format(in_scope, 'key'), format(in_scope, 'key'));
    execute format('create policy own_users on %I for select using (kind = 3 and exists (
      select from users u where u.id = key and %s))', t, format(in_scope, 'u.agent_id'));
  end loop;

  foreach t in array array['users', 'recharge', 'withdraw', 'internal_transfer', 'entry'] loop
    execute format('drop policy own_tree on %I', t);
    execute format('create policy own_tree on %I for select using (%s)', t, format(in_scope, 'agent_id'));
  end loop;
  drop policy receiving_tree on internal_transfer;
  execute format('create policy receiving_tree on internal_transfer for select using (%s)', format(in_scope, 'to_agent_id'));
end
$$;

-- What is there already; the job makes the blocks.
insert into roll_delta (noun, agent_key, user_key, d1, d2, market_key, block, n, s1, s2, s3, lo, hi)
select 1, agent_id, 0, state, 0, market_id, 0, count(*), sum(amount), sum(fee), sum(received), min(created_at), max(created_at)
from withdraw group by agent_id, state, market_id;
insert into roll_delta (noun, agent_key, user_key, d1, d2, market_key, block, n, s1, lo, hi)
select 2, agent_id, 0, state, source, market_id, 0, count(*), sum(amount), min(created_at), max(created_at)
from recharge group by agent_id, state, source, market_id;
insert into roll_delta (noun, agent_key, user_key, d1, d2, market_key, block, n, s1, lo, hi)
select 3, e.agent_id, 0, e.type, coalesce(c.state, 0) * 100 + e.platform * 10 + (e.bucket = 'frozen')::int, e.market_id, 0,
  count(*), sum(e.amount), min(e.created_at), max(e.created_at)
from entry e left join fund_check c on c.entry_id = e.id where e.user_id is not null group by 2, 4, 5, 6;
insert into roll_delta (noun, agent_key, user_key, d1, d2, market_key, block, n, lo, hi)
select 4, agent_id, 0, state, auth, 0, 0, count(*), min(created_at), max(created_at)
from users where deleted_at is null group by agent_id, state, auth;
