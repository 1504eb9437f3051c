-- Counters of long lists: number and sums of rows by agent tree, agent or user, by block of ids, and by what lists filter.
-- Statement-level triggers append the change of each write to counter_delta; compact_counters() adds the deltas up. Readers add
-- both, in one snapshot. server/src/lists/README.md describes the design.

-- The tables that are counted. image selects the counted rows of {rows}: id, agent_key, user_key (0 if rows have no other user
-- than themselves), dims, market_id (0 if rows have no coin), n, s1, s2, s3, at. n is 1, or -1 to take a row out of the counts.
-- A block has the rows of 2^block_bits ids; a resource with more combinations of dims has larger blocks.
create table counter_source (table_name text primary key, resource smallint not null, block_bits smallint not null, image text not null);

-- Numbers of rows above which a scope has totals, counters of large blocks, and counters of blocks.
create table counter_limit (
  one boolean primary key default true check (one),
  total_rows bigint not null,
  block_rows bigint not null,
  large_rows bigint not null
);

insert into counter_limit (total_rows, large_rows, block_rows) values (5000, 20000, 100000);

-- Changes that are not in the counters yet.
create table counter_delta (
  id bigint generated always as identity primary key,
  resource smallint not null,
  agent_key bigint not null,
  user_key bigint not null,
  -- The id without its last block_bits.
  block bigint not null,
  dims integer[] not null,
  market_id bigint not null,
  n bigint not null,
  s1 numeric(60, 18) not null,
  s2 numeric(60, 18) not null,
  s3 numeric(60, 18) not null,
  lo bigint not null,
  hi bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0);

-- A scope: kind 1 is an agent with all agents below it, 2 the rows shown as an agent's own, 3 a user. n is its number
-- of rows. A scope of level n has the counters of levels 1 to n. wanted is the level that it should have.
create table counter_scope (
  resource smallint not null,
  kind smallint not null,
  key bigint not null,
  n bigint not null,
  level smallint not null default 0,
  wanted smallint not null default 0,
  primary key (resource, kind, key)
);
create index counter_scope_growing on counter_scope (resource) where wanted > level;

-- Number and sums of the rows of a scope. Level 1 is the whole scope (block 0), 2 a large block of 32 blocks, 3 a
-- block. The fill factor leaves room for the next version of a counter beside it: lists read counters fast because
-- those of a scope are in few disk pages.
create table counter (
  resource smallint not null,
  kind smallint not null,
  key bigint not null,
  block bigint not null,
  dims integer[] not null,
  market_id bigint not null,
  n bigint not null,
  s1 numeric(60, 18) not null,
  s2 numeric(60, 18) not null,
  s3 numeric(60, 18) not null,
  level smallint not null,
  primary key (resource, kind, key, level, block, dims, market_id)
) with (fillfactor = 80);

-- All rows of a block were created between lo and hi. The bounds only widen.
create table counter_time (
  resource smallint not null,
  block bigint not null,
  lo bigint not null,
  hi bigint not null,
  primary key (resource, block)
);

-- The counted rows of all resources; count_table() defines it.
create view counted_rows as
select resource, block, agent_key, user_key, dims, market_id, n, s1::numeric, s2::numeric, s3::numeric, lo as at
from counter_delta where false;

-- Whether the caller, who must own the counters, loads rows without counting them and rebuilds the counters afterwards.
create function counters_paused() returns boolean language sql stable as $$
  select coalesce(current_setting('app.counters', true), '') = 'paused'
    and pg_has_role(current_user, (select relowner from pg_class where oid = 'counter'::regclass), 'usage')
$$;

-- Counts a table from now on. Run rebuild_counters() after it if the table has rows.
create function count_table(counted regclass, counted_as smallint, bits smallint, counted_image text) returns void language plpgsql as $f$
declare
  event text;
  images text;
  negated constant text := '(select id, agent_key, user_key, dims, market_id, -n as n, -s1 as s1, -s2 as s2, -s3 as s3, at from (%s) o)';
  added constant text := replace(counted_image, '{rows}', 'new_rows');
  removed constant text := format(negated, replace(counted_image, '{rows}', 'old_rows'));
begin
  insert into counter_source values (counted::text, counted_as, bits, counted_image)
  on conflict (table_name) do update set resource = excluded.resource, block_bits = excluded.block_bits, image = excluded.image;
  foreach event in array array['insert', 'update', 'delete'] loop
    images := case event when 'insert' then added when 'delete' then removed else added || ' union all ' || removed end;
    execute format($q$
      create or replace function %1$I() returns trigger language plpgsql security definer set search_path = %2$I, pg_temp as $t$
      begin
        insert into counter_delta (resource, agent_key, user_key, block, dims, market_id, n, s1, s2, s3, lo, hi)
        select %3$s, agent_key, user_key, id >> %5$s, dims, market_id, sum(n), sum(s1), sum(s2), sum(s3), min(at), max(at)
        from (%4$s) i group by agent_key, user_key, id >> %5$s, dims, market_id
        having sum(n) <> 0 or sum(s1) <> 0 or sum(s2) <> 0 or sum(s3) <> 0;
        return null;
      end $t$ $q$, format('count_%s_%s', counted, event), current_schema(), counted_as, images, bits);
    execute format('create or replace trigger %1$I after %2$s on %3$s referencing %4$s for each statement
      when (not counters_paused()) execute function %1$I()', format('count_%s_%s', counted, event), event, counted,
      case event when 'insert' then 'new table as new_rows' when 'delete' then 'old table as old_rows'
        else 'old table as old_rows new table as new_rows' end);
  end loop;
  execute format('create or replace trigger count_truncate before truncate on %s for each statement
    when (not counters_paused()) execute function refuse_truncate()', counted);
  execute (
    select 'create or replace view counted_rows as ' || string_agg(format(
      'select %s::smallint as resource, id >> %s as block, agent_key, user_key, dims, market_id, n::bigint, s1::numeric, s2::numeric, s3::numeric, at from (%s) i',
      s.resource, s.block_bits, replace(s.image, '{rows}', s.table_name)), ' union all ' order by s.table_name)
    from counter_source s);
end
$f$;

create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'The rows of % are counted: delete them instead of truncating the table.', tg_table_name;
end $$;

-- The scopes that a row of an agent and a user belongs to.
create function counter_keys(of_agent bigint, of_user bigint) returns table (kind smallint, key bigint) language sql stable as $$
  select 1::smallint, ancestor from closure where descendant = of_agent
  union all
  select 2::smallint, shown.id from agent own join agent shown on shown.account_key = own.shown_key where own.id = of_agent
  union all
  select 3::smallint, of_user where of_user <> 0
$$;

create function counter_level(rows bigint) returns smallint language sql stable as $$
  select case when rows > block_rows then 3 when rows > large_rows then 2 when rows > total_rows then 1 else 0 end::smallint
  from counter_limit
$$;

-- The counters that contain a row of a block, in a scope of a level.
create function counter_places(of_level smallint, of_block bigint) returns table (level smallint, block bigint)
language sql immutable as $$
  select v.level, v.block from (values (1::smallint, 0::bigint), (2::smallint, of_block >> 5), (3::smallint, of_block)) v(level, block)
  where v.level <= of_level
$$;

-- The rows of a resource that the counters contain: all rows but those of deltas.
create function counted_now(of_resource smallint)
returns table (block bigint, agent_key bigint, user_key bigint, dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric, s3 numeric)
language sql stable as $$
  select block, agent_key, user_key, dims, market_id, n, s1, s2, s3 from counted_rows where resource = of_resource
  union all
  select block, agent_key, user_key, dims, market_id, -n, -s1, -s2, -s3 from counter_delta where resource = of_resource
$$;

-- The counters of a resource's scopes, computed from the rows in one pass: of scopes that are growing, or else of those that
-- have counters. Each row is added to its agent's own scope, its user, and the nearest tree above it; trees are then added up, and
-- then the higher levels.
create function compute_counters(of_resource smallint, growing boolean)
returns table (kind smallint, key bigint, level smallint, block bigint, dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric,
  s3 numeric)
language sql stable set work_mem = '256MB' as $$
  with scope as materialized (
    select kind, key, case when growing then wanted else level end as level from counter_scope
    where resource = of_resource and case when growing then wanted > level else level > 0 end
  ),
  owner as materialized (
    select a.id,
      (select s.key from scope s join agent shown on shown.id = s.key where s.kind = 2 and shown.account_key = a.shown_key) as own,
      (select s.key from closure c join scope s on s.kind = 1 and s.key = c.ancestor join agent above on above.id = c.ancestor
        where c.descendant = a.id order by above.depth desc limit 1) as tree
    from agent a
  ),
  by_agent as materialized (
    select o.own, o.tree, r.block, r.dims, r.market_id, sum(r.n) as n, sum(r.s1) as s1, sum(r.s2) as s2, sum(r.s3) as s3
    from counted_now(of_resource) r join owner o on o.id = r.agent_key
    where coalesce(o.own, o.tree) is not null group by o.own, o.tree, r.block, r.dims, r.market_id
  ),
  by_tree as (
    select tree, block, dims, market_id, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3
    from by_agent where tree is not null group by tree, block, dims, market_id
  ),
  keyed as (
    select 1 as kind, c.ancestor as key, t.block, t.dims, t.market_id, t.n, t.s1, t.s2, t.s3 from by_tree t join closure c on c.descendant = t.tree
    union all
    select 2, own, block, dims, market_id, n, s1, s2, s3 from by_agent where own is not null
    union all
    select 3, u.key, r.block, r.dims, r.market_id, r.n, r.s1, r.s2, r.s3
    from counted_now(of_resource) r join scope u on u.kind = 3 and u.key = r.user_key
  ),
  lowest as (
    select s.kind, s.key, s.level, case s.level when 1 then 0 when 2 then k.block >> 5 else k.block end as block, k.dims, k.market_id,
      sum(k.n) as n, sum(k.s1) as s1, sum(k.s2) as s2, sum(k.s3) as s3
    from keyed k join scope s on s.kind = k.kind and s.key = k.key group by 1, 2, 3, 4, 5, 6
  )
  select l.kind, l.key, v.level, v.block, l.dims, l.market_id, sum(l.n)::bigint, sum(l.s1), sum(l.s2), sum(l.s3)
  from lowest l cross join lateral (
    values (1::smallint, 0::bigint), (2::smallint, case l.level when 3 then l.block >> 5 else l.block end), (3::smallint, l.block)
  ) v(level, block)
  where v.level <= l.level
  group by l.kind, l.key, v.level, v.block, l.dims, l.market_id
  having sum(l.n) <> 0 or sum(l.s1) <> 0 or sum(l.s2) <> 0 or sum(l.s3) <> 0
$$;

-- Gives scopes that have outgrown their level the counters of the next one.
create function grow_counters() returns void language plpgsql as $$
declare
  r smallint;
begin
  for r in select distinct resource from counter_scope where wanted > level loop
    delete from counter c using counter_scope s
    where s.resource = r and s.wanted > s.level and (c.resource, c.kind, c.key) = (s.resource, s.kind, s.key);
    -- In the order in which lists read them, so that a page reads few disk pages.
    insert into counter (resource, kind, key, level, block, dims, market_id, n, s1, s2, s3)
    select r, * from compute_counters(r, true) order by kind, key, level, block;
    update counter_scope set level = wanted where resource = r and wanted > level;
  end loop;
end $$;

-- Adds deltas to the counters. One transaction at a time; the others leave without doing anything.
create function compact_counters() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(5300002) then return; end if;
  with taken as (delete from counter_delta returning *),
  widened as (
    insert into counter_time as t (resource, block, lo, hi)
    select resource, block, min(lo), max(hi) from taken group by resource, block
    on conflict (resource, block) do update set lo = least(t.lo, excluded.lo), hi = greatest(t.hi, excluded.hi)
    where t.lo > excluded.lo or t.hi < excluded.hi
  ),
  grouped as materialized (
    select resource, agent_key, user_key, block, dims, market_id, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3
    from taken group by resource, agent_key, user_key, block, dims, market_id
  ),
  keyed as materialized (
    select g.resource, k.kind, k.key, g.block, g.dims, g.market_id, sum(g.n) as n, sum(g.s1) as s1, sum(g.s2) as s2, sum(g.s3) as s3
    from grouped g cross join lateral counter_keys(g.agent_key, g.user_key) k
    group by g.resource, k.kind, k.key, g.block, g.dims, g.market_id
  ),
  sized as (
    insert into counter_scope as s (resource, kind, key, n, wanted)
    select resource, kind, key, sum(n), counter_level(sum(n)::bigint) from keyed group by resource, kind, key
    on conflict (resource, kind, key) do update
    set n = s.n + excluded.n, wanted = greatest(s.wanted, counter_level(s.n + excluded.n))
  )
  insert into counter as c (resource, kind, key, level, block, dims, market_id, n, s1, s2, s3)
  select k.resource, k.kind, k.key, b.level, b.block, k.dims, k.market_id, sum(k.n), sum(k.s1), sum(k.s2), sum(k.s3)
  from keyed k join counter_scope s on (s.resource, s.kind, s.key) = (k.resource, k.kind, k.key) and s.level > 0
  cross join lateral counter_places(s.level, k.block) b
  group by k.resource, k.kind, k.key, b.level, b.block, k.dims, k.market_id
  on conflict (resource, kind, key, level, block, dims, market_id) do update
  set n = c.n + excluded.n, s1 = c.s1 + excluded.s1, s2 = c.s2 + excluded.s2, s3 = c.s3 + excluded.s3;
  perform grow_counters();
end $$;

-- Moves the counted rows of agents into scopes (sign 1) or out of them (-1). If the agents are the whole subtree of one of them,
-- its root, and the root has counters of blocks, these are added instead of the rows.
create function move_counters(agents bigint[], kinds smallint[], keys bigint[], signs integer[], root bigint default null)
returns void language plpgsql as $$
declare
  r smallint;
  by_counters boolean;
begin
  -- Compaction must not read the tree while it changes.
  perform pg_advisory_xact_lock(5300002);
  for r in select distinct resource from counter_source loop
    by_counters := exists (select from counter_scope s where s.resource = r and s.kind = 1 and s.key = root and s.level = 3);
    with part as materialized (
      select c.agent_key, c.block, c.dims, c.market_id, sum(c.n) as n, sum(c.s1) as s1, sum(c.s2) as s2, sum(c.s3) as s3
      from counted_now(r) c where not by_counters and c.agent_key = any(agents) group by c.agent_key, c.block, c.dims, c.market_id
      union all
      select root, c.block, c.dims, c.market_id, c.n, c.s1, c.s2, c.s3 from counter c
      where by_counters and c.resource = r and c.kind = 1 and c.key = root and c.level = 3
    ),
    keyed as materialized (
      select m.kind, m.key, p.block, p.dims, p.market_id, sum(m.sign * p.n) as n, sum(m.sign * p.s1) as s1, sum(m.sign * p.s2) as s2,
        sum(m.sign * p.s3) as s3
      from part p join unnest(agents, kinds, keys, signs) m(agent_key, kind, key, sign) using (agent_key)
      group by m.kind, m.key, p.block, p.dims, p.market_id
    ),
    sized as (
      insert into counter_scope as s (resource, kind, key, n, wanted)
      select r, kind, key, sum(n), counter_level(sum(n)::bigint) from keyed group by kind, key
      on conflict (resource, kind, key) do update
      set n = s.n + excluded.n, wanted = greatest(s.wanted, counter_level(s.n + excluded.n))
    )
    insert into counter as c (resource, kind, key, level, block, dims, market_id, n, s1, s2, s3)
    select r, k.kind, k.key, b.level, b.block, k.dims, k.market_id, sum(k.n), sum(k.s1), sum(k.s2), sum(k.s3)
    from keyed k join counter_scope s on s.resource = r and s.kind = k.kind and s.key = k.key and s.level > 0
    cross join lateral counter_places(s.level, k.block) b
    group by k.kind, k.key, b.level, b.block, k.dims, k.market_id
    on conflict (resource, kind, key, level, block, dims, market_id) do update
    set n = c.n + excluded.n, s1 = c.s1 + excluded.s1, s2 = c.s2 + excluded.s2, s3 = c.s3 + excluded.s3;
  end loop;
end $$;

-- The daily flows of users: both entries of a leg are inserted together, and a leg between two accounts of one user is no flow.
create function count_flows() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into fund_delta (agent_key, market_key, type, at, amount_in, amount_out)
  select agent_id, market_id, type, created_at, sum(greatest(amount, 0)), sum(greatest(-amount, 0))
  from (
    select n.*, min(coalesce(user_id, 0)) over leg <> max(coalesce(user_id, 0)) over leg as changes_owner
    from new_rows n window leg as (partition by leg_id)
  ) x
  where user_id is not null and changes_owner group by agent_id, market_id, type, created_at;
  return null;
end $$;

create trigger count_flows after insert on entry referencing new table as new_rows for each statement
  when (not counters_paused()) execute function count_flows();

create function count_moved_agents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
  agents constant bigint[] := array(select distinct descendant from changed);
  root bigint;
begin
  -- The pairs of a move are those of every agent of one subtree with every ancestor.
  select c.ancestor into root from closure c where c.ancestor = any(agents)
  group by c.ancestor having count(*) = cardinality(agents) and count(*) = count(*) filter (where c.descendant = any(agents));
  if (select count(*) <> count(distinct ancestor) * cardinality(agents) from changed) then root := null; end if;
  -- A new agent, which is inserted with the pair of itself, has no rows yet and must not wait for the compaction.
  perform move_counters(array_agg(c.descendant), array_agg(1::smallint), array_agg(c.ancestor), array_agg(sign), root) from changed c
  where not exists (select from changed own where own.ancestor = c.descendant and own.descendant = c.descendant)
  having count(*) > 0;
  return null;
end $$;

create trigger count_insert after insert on closure referencing new table as changed for each statement
  when (not counters_paused()) execute function count_moved_agents();

create trigger count_delete after delete on closure referencing old table as changed for each statement
  when (not counters_paused()) execute function count_moved_agents();

create function count_renamed_agents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform move_counters(array_agg(o.id), array_agg(2::smallint), array_agg(shown.id), array_agg(m.sign))
  from old_rows o join new_rows n on n.id = o.id and n.shown_key <> o.shown_key
  cross join lateral (values (o.shown_key, -1), (n.shown_key, 1)) m(account_key, sign)
  join agent shown on shown.account_key = m.account_key
  having count(*) > 0;
  return null;
end $$;

create trigger count_update after update on agent referencing old table as old_rows new table as new_rows for each statement
  when (not counters_paused()) execute function count_renamed_agents();

-- Recomputes everything from the rows.
create function rebuild_counters() returns void language plpgsql set work_mem = '256MB' as $$
begin
  perform pg_advisory_xact_lock(5300002);
  delete from counter;
  delete from counter_scope;
  delete from counter_time;
  -- One statement, so that rows committed meanwhile keep their deltas.
  with taken as (delete from counter_delta),
  sized as materialized (
    select resource, agent_key, user_key, block, sum(n) as n, min(at) as lo, max(at) as hi from counted_rows
    group by grouping sets ((resource, agent_key, user_key), (resource, block))
  ),
  timed as (
    insert into counter_time select resource, block, lo, hi from sized where block is not null
  )
  insert into counter_scope (resource, kind, key, n, wanted)
  select s.resource, k.kind, k.key, sum(s.n), counter_level(sum(s.n)::bigint)
  from (
    select resource, agent_key, 0::bigint as user_key, sum(n) as n from sized where block is null group by resource, agent_key
    union all
    select resource, null, user_key, n from sized where block is null and user_key <> 0
  ) s cross join lateral counter_keys(s.agent_key, s.user_key) k
  group by s.resource, k.kind, k.key;
  perform grow_counters();
end $$;

-- The counters that differ from the rows, at most 20 of each kind.
create function check_counters() returns table (resource smallint, place text, counted text, rows text)
language plpgsql stable as $$
declare
  r smallint;
begin
  for r in select distinct s.resource from counter_source s loop
    return query
    with found as (
      select c.kind, c.key, c.level, c.block, c.dims, c.market_id, c.n, c.s1, c.s2, c.s3 from counter c
      where c.resource = r and (c.n <> 0 or c.s1 <> 0 or c.s2 <> 0 or c.s3 <> 0)
    )
    select r, concat_ws(' ', 'kind', kind, 'key', key, 'level', level, 'block', block, 'dims', dims, 'market', market_id),
      concat_ws(' ', f.n, f.s1, f.s2, f.s3), concat_ws(' ', e.n, e.s1, e.s2, e.s3)
    from found f full join compute_counters(r, false) e using (kind, key, level, block, dims, market_id)
    where (f.n, f.s1, f.s2, f.s3) is distinct from (e.n, e.s1, e.s2, e.s3) order by 2 limit 20;
    return query
    with e as (
      select k.kind, k.key, sum(p.n) as n
      from (select c.agent_key, c.user_key, sum(c.n) as n from counted_now(r) c group by c.agent_key, c.user_key) p
      cross join lateral counter_keys(p.agent_key, p.user_key) k group by k.kind, k.key having sum(p.n) <> 0
    )
    select r, concat_ws(' ', 'kind', kind, 'key', key, 'rows'), f.n::text, e.n::text
    from (select s.kind, s.key, s.n from counter_scope s where s.resource = r and s.n <> 0) f full join e using (kind, key)
    where f.n is distinct from e.n order by 2 limit 20;
    return query
    select r, concat_ws(' ', 'block', b.block, 'times'), concat_ws(' ', t.lo, t.hi), concat_ws(' ', b.lo, b.hi)
    from (select i.block, min(i.at) as lo, max(i.at) as hi from counted_rows i where i.resource = r group by i.block) b
    left join (
      select x.block, min(x.lo) as lo, max(x.hi) as hi from (
        select c.block, c.lo, c.hi from counter_time c where c.resource = r
        union all select d.block, d.lo, d.hi from counter_delta d where d.resource = r) x group by x.block
    ) t on t.block = b.block
    where t.block is null or t.lo > b.lo or t.hi < b.hi order by 2 limit 20;
  end loop;
end $$;

-- Changes that are not in counter_address yet.
create table counter_address_delta (
  id bigint generated always as identity primary key,
  user_key bigint not null,
  agent_key bigint not null,
  address text not null,
  network text not null,
  market_id bigint not null,
  -- 1 for a new row, -1 for a removed row, which only manual corrections cause.
  n bigint not null,
  amount numeric(60, 18) not null,
  at bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0);

-- The users and addresses with totals. Each row names one of them.
create table counter_address_scope (user_key bigint unique, address text unique, check (num_nonnulls(user_key, address) = 1));

-- Withdrawals by user and address, for the details of a withdrawal. Kept for users and addresses with more rows than
-- counter_limit.total_rows. Smaller ones are read from the rows.
create table counter_address (
  user_key bigint not null,
  address text not null,
  network text not null,
  market_id bigint not null,
  agent_key bigint not null,
  n bigint not null,
  amount numeric(60, 18) not null,
  -- The first and the last row.
  lo bigint not null,
  hi bigint not null,
  primary key (user_key, address, network, market_id)
);
create index counter_address_last on counter_address (user_key, hi desc);
create index counter_address_users on counter_address (address, agent_key, user_key);

create function count_addresses() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into counter_address_delta (user_key, agent_key, address, network, market_id, n, amount, at)
    select user_id, agent_id, address, network, market_id, 1, amount, created_at from new_rows;
    return null;
  end if;
  insert into counter_address_delta (user_key, agent_key, address, network, market_id, n, amount, at)
  values (old.user_id, old.agent_id, old.address, old.network, old.market_id, -1, -old.amount, old.created_at);
  if tg_op = 'UPDATE' then
    insert into counter_address_delta (user_key, agent_key, address, network, market_id, n, amount, at)
    values (new.user_id, new.agent_id, new.address, new.network, new.market_id, 1, new.amount, new.created_at);
  end if;
  return null;
end $$;

create trigger count_address_insert after insert on withdraw referencing new table as new_rows for each statement
  when (not counters_paused()) execute function count_addresses();

-- Per row, because only such a trigger can leave out the updates of other columns: changes of state and agent cost nothing.
create trigger count_address_update after update of user_id, address, network, market_id, amount, created_at on withdraw for each row
  when (not counters_paused()) execute function count_addresses();

create trigger count_address_delete after delete on withdraw for each row
  when (not counters_paused()) execute function count_addresses();

create function move_addresses() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Compaction must not read the agent of the user while it changes.
  perform pg_advisory_xact_lock_shared(5300003);
  update counter_address set agent_key = new.agent_id where user_key = new.id;
  update counter_address_delta set agent_key = new.agent_id where user_key = new.id;
  return null;
end $$;

create trigger move_addresses after update of agent_id on users for each row
  when (old.agent_id <> new.agent_id and not counters_paused()) execute function move_addresses();

-- The totals of these users and addresses, computed from all rows but those of deltas.
create function compute_addresses(users bigint[], addresses text[]) returns setof counter_address language sql stable
set work_mem = '256MB' as $$
  select r.user_key, r.address, r.network, r.market_id, u.agent_id, sum(r.n), sum(r.amount), min(r.at), max(r.at)
  from (
    select user_id as user_key, address, network, market_id, 1 as n, amount, created_at as at from withdraw
    union all select user_key, address, network, market_id, -n, -amount, at from counter_address_delta
  ) r join users u on u.id = r.user_key
  where r.user_key = any(users) or r.address = any(addresses)
  group by r.user_key, r.address, r.network, r.market_id, u.agent_id having sum(r.n) > 0
$$;

-- Adds deltas to the totals. One transaction at a time; the others leave without doing anything.
create function compact_addresses() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  users bigint[];
  addresses text[];
  removed_users bigint[];
  removed_addresses text[];
  max_rows constant bigint := (select total_rows from counter_limit);
begin
  if not pg_try_advisory_xact_lock(5300003) then return; end if;
  with taken as (delete from counter_address_delta returning *),
  added as (
    insert into counter_address as t
    select d.user_key, d.address, d.network, d.market_id, u.agent_id, sum(d.n), sum(d.amount), min(d.at), max(d.at)
    from taken d join users u on u.id = d.user_key
    where d.user_key in (select s.user_key from counter_address_scope s) or d.address in (select s.address from counter_address_scope s)
    group by d.user_key, d.address, d.network, d.market_id, u.agent_id
    on conflict (user_key, address, network, market_id) do update
    set n = t.n + excluded.n, amount = t.amount + excluded.amount, lo = least(t.lo, excluded.lo), hi = greatest(t.hi, excluded.hi)
  )
  select array_agg(distinct user_key), array_agg(distinct address), coalesce(array_agg(distinct user_key) filter (where n < 0), '{}'),
    coalesce(array_agg(distinct address) filter (where n < 0), '{}')
  into users, addresses, removed_users, removed_addresses from taken;
  -- Users and addresses that have grown are computed from the rows, and those that have lost rows, with which the times change.
  users := array(select k from unnest(users) k where exists (select from counter_address_scope where user_key = k) and k = any(removed_users)
    or not exists (select from counter_address_scope where user_key = k)
    and (select count(*) from (select from withdraw where user_id = k limit max_rows + 1) r) > max_rows);
  addresses := array(select k from unnest(addresses) k where exists (select from counter_address_scope where address = k) and k = any(removed_addresses)
    or not exists (select from counter_address_scope where address = k)
    and (select count(*) from (select from withdraw where address = k limit max_rows + 1) r) > max_rows);
  if users = '{}' and addresses = '{}' then return; end if;
  insert into counter_address_scope select k, null from unnest(users) k on conflict do nothing;
  insert into counter_address_scope select null, k from unnest(addresses) k on conflict do nothing;
  delete from counter_address where user_key = any(users) or address = any(addresses);
  insert into counter_address select * from compute_addresses(users, addresses);
end $$;

-- Recomputes everything from the rows.
create function rebuild_addresses() returns void language plpgsql set work_mem = '256MB' as $$
begin
  perform pg_advisory_xact_lock(5300003);
  delete from counter_address;
  delete from counter_address_scope;
  insert into counter_address_scope
  select user_id, null from withdraw group by user_id having count(*) > (select total_rows from counter_limit)
  union all
  select null, address from withdraw group by address having count(*) > (select total_rows from counter_limit);
  insert into counter_address
  select c.* from compute_addresses(array(select user_key from counter_address_scope where user_key is not null),
    array(select address from counter_address_scope where address is not null)) c;
end $$;

-- The totals that differ from the rows, at most 20. The times of pending deltas are added on both sides.
create function check_addresses() returns table (place text, counted text, rows text) language sql stable as $$
  with found as (
    select t.user_key, t.address, t.network, t.market_id, t.agent_key, t.n, t.amount, least(t.lo, d.lo) as lo, greatest(t.hi, d.hi) as hi
    from counter_address t left join (
      select user_key, address, network, market_id, min(at) as lo, max(at) as hi from counter_address_delta group by 1, 2, 3, 4
    ) d using (user_key, address, network, market_id)
  )
  select concat_ws(' ', 'user', user_key, 'address', address, network, 'market', market_id),
    concat_ws(' ', f.agent_key, f.n, f.amount, f.lo, f.hi), concat_ws(' ', e.agent_key, e.n, e.amount, e.lo, e.hi)
  from found f full join compute_addresses(array(select user_key from counter_address_scope where user_key is not null),
    array(select address from counter_address_scope where address is not null)) e using (user_key, address, network, market_id)
  where (f.agent_key, f.n, f.amount, f.lo, f.hi) is distinct from (e.agent_key, e.n, e.amount, e.lo, e.hi)
  order by 1 limit 20
$$;

create function user_in_scope(of_user bigint) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select current_setting('app.scope', true) = 'all' or exists (
    select from users u cross join (select nullif(current_setting('app.tree', true), '')::bytea as tree) scope
    where u.id = of_user and get_bit(tree, least(u.agent_id, octet_length(tree)::bigint * 8 - 1)) <> 0)
$$;

-- The pending deltas of a user of the operator's tree. After a move of the user they have two agents, one of which can be outside.
create function deltas_of_user(of_resource smallint, of_user bigint) returns setof counter_delta language sql stable security definer
set search_path = public, pg_temp as $$
  select d.* from counter_delta d where d.resource = of_resource and d.user_key = of_user and user_in_scope(of_user)
$$;

create function has_counters(of_resource smallint, of_user bigint) returns boolean language plpgsql stable security definer
set search_path = public, pg_temp as $$
begin
  return exists (select from counter_scope s where s.resource = of_resource and s.kind = 3 and s.key = of_user and s.level > 0);
end $$;

-- The totals of a user with counters. A function, because its plan costs nothing for the users without counters.
create function sums_of_user(of_resource smallint, of_user bigint)
returns table (dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric) language sql stable security definer
set search_path = public, pg_temp as $$
  select c.dims, c.market_id, c.n, c.s1, c.s2 from counter c
  where c.resource = of_resource and c.kind = 3 and c.key = of_user and c.level = 1 and user_in_scope(of_user)
  union all
  select d.dims, d.market_id, d.n, d.s1, d.s2 from deltas_of_user(of_resource, of_user) d
$$;

-- Whether the totals of a user or an address are up to date with pending deltas. A pending removal can change the times.
create function has_address_totals(of_user bigint, of_address text) returns boolean language sql stable security definer
set search_path = public, pg_temp as $$
  select exists (select from counter_address_scope where user_key = of_user or address = of_address)
    and not exists (select from counter_address_delta where n < 0 and (user_key = of_user or address = of_address))
$$;

select count_table('withdraw', 1::smallint, 15::smallint, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key,
    array[r.state, case when r.risk = '{}' then 0 else ('first_address' = any(r.risk))::int + 2 * ('shared_address' = any(r.risk))::int
      + 4 * ('over_limit' = any(r.risk))::int + 8 * ('credential_changed' = any(r.risk))::int
      + 16 * ('ledger_mismatch' = any(r.risk))::int + 32 * ('manual_balance' = any(r.risk))::int end] as dims,
    r.market_id, 1 as n, r.amount as s1, r.fee as s2, r.received as s3, r.created_at as at
  from {rows} r$$);

select count_table('recharge', 2::smallint, 15::smallint, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key, array[r.state::int, r.source] as dims, r.market_id, 1 as n, r.amount as s1, 0::numeric as s2,
    0::numeric as s3, r.created_at as at
  from {rows} r$$);

select count_table('entry', 3::smallint, 16::smallint, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key, array[r.type::int, r.platform, (r.bucket = 'frozen')::int, 0] as dims, r.market_id, 1 as n,
    r.amount as s1, 0::numeric as s2, 0::numeric as s3, r.created_at as at
  from {rows} r where r.user_id is not null$$);

-- A reconciled entry is moved from state 0 to its state.
select count_table('fund_check', 3::smallint, 16::smallint, $$
  select r.entry_id as id, r.agent_id as agent_key, r.user_id as user_key, array[r.type::int, r.platform, (r.bucket = 'frozen')::int, m.state] as dims, r.market_id,
    m.n, m.n * r.amount as s1, 0::numeric as s2, 0::numeric as s3, r.created_at as at
  from {rows} r cross join lateral (values (r.state::int, 1), (0, -1)) m(state, n) where r.state <> 0$$);

select count_table('users', 4::smallint, 15::smallint, $$
  select r.id, r.agent_id as agent_key, 0::bigint as user_key, array[r.state::int, r.auth] as dims, 0::bigint as market_id, 1 as n, 0::numeric as s1,
    0::numeric as s2, 0::numeric as s3, r.created_at as at
  from {rows} r where r.deleted_at is null$$);

select count_table('ieo', 5::smallint, 15::smallint, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key, array[r.state::int] as dims, r.market_id, 1 as n, r.amount as s1,
    r.pay as s2, 0::numeric as s3, r.created_at as at
  from {rows} r$$);
