-- Blocks are counted by state and coin alone, and are half as large. The other counted columns are counted by large blocks: all
-- combinations of them made the counters of an entry as numerous as a third of the entries.
--
-- Counters of levels 1 (the whole scope), 2 (a large block of 32 blocks) and 3 (a block) have the first of dims, which is the
-- state. Those of levels 4 (the whole scope) and 5 (a large block) have all dims. A scope of level n has counters of the whole,
-- from level 2 on also of large blocks, and with level 3 also of blocks.

-- The smallest counters that contain a row.
create function counter_parts(of_block bigint, of_dims integer[]) returns table (level smallint, block bigint, dims integer[])
language sql immutable as $$
  values (3::smallint, of_block, of_dims[1:1]), (5::smallint, of_block >> 5, of_dims)
$$;

drop function counter_places(smallint, bigint);

-- The counters of a scope that contain the smallest counter `part`.
create function counter_places(scope_level smallint, part_level smallint, part_block bigint) returns table (level smallint, block bigint)
language sql immutable as $$
  select v.level, v.block
  from (values (1::smallint, 3, 1, 0::bigint), (2::smallint, 3, 2, part_block >> 5), (3::smallint, 3, 3, part_block),
    (4::smallint, 5, 1, 0::bigint), (5::smallint, 5, 2, part_block)) v(level, part, least_level, block)
  where v.part = part_level and v.least_level <= scope_level
$$;

revoke execute on function counter_parts, counter_places from public;

-- The counters of a resource's scopes, computed from the rows: of scopes that are growing, or else of those that have counters.
-- Each row is added to its agent's own scope, its user, and the nearest tree above it; trees are then added up, and then the
-- higher levels, from counters of the lowest level of their scope. The arrays let the planner see whether the scopes have few of the rows, which it then reads by an index.
create or replace function compute_counters(of_resource smallint, growing boolean)
returns table (kind smallint, key bigint, level smallint, block bigint, dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric,
  s3 numeric)
language plpgsql stable set work_mem = '256MB' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  scopes constant counter_scope[] := array(select s from counter_scope s where s.resource = of_resource
    and case when growing then s.wanted > s.level else s.level > 0 end);
  agents constant bigint[] := array(
    select c.descendant from unnest(scopes) s join closure c on c.ancestor = s.key where s.kind = 1
    union select own.id from unnest(scopes) s join agent shown on shown.id = s.key join agent own on own.shown_key = shown.account_key
    where s.kind = 2);
  users constant bigint[] := array(select s.key from unnest(scopes) s where s.kind = 3);
begin
  return query
  with scope as materialized (select s.kind, s.key, case when growing then s.wanted else s.level end as level from unnest(scopes) s),
  owner as materialized (
    select a.id,
      (select s.key from scope s join agent shown on shown.id = s.key where s.kind = 2 and shown.account_key = a.shown_key) as own,
      (select s.key from closure c join scope s on s.kind = 1 and s.key = c.ancestor join agent above on above.id = c.ancestor
        where c.descendant = a.id order by above.depth desc limit 1) as tree
    from agent a where a.id = any(agents)
  ),
  by_agent as materialized (
    select o.own, o.tree, p.level, p.block, p.dims, r.market_id, sum(r.n) as n, sum(r.s1) as s1, sum(r.s2) as s2, sum(r.s3) as s3
    from counted_now(of_resource) r join owner o on o.id = r.agent_key cross join lateral counter_parts(r.block, r.dims) p
    where r.agent_key = any(agents) group by o.own, o.tree, p.level, p.block, p.dims, r.market_id
  ),
  by_tree as (
    select tree, level, block, dims, market_id, sum(n) as n, sum(s1) as s1, sum(s2) as s2, sum(s3) as s3
    from by_agent where tree is not null group by tree, level, block, dims, market_id
  ),
  keyed as (
    select 1 as kind, c.ancestor as key, t.level, t.block, t.dims, t.market_id, t.n, t.s1, t.s2, t.s3
    from by_tree t join closure c on c.descendant = t.tree
    union all
    select 2, own, level, block, dims, market_id, n, s1, s2, s3 from by_agent where own is not null
    union all
    select 3, r.user_key, p.level, p.block, p.dims, r.market_id, r.n, r.s1, r.s2, r.s3
    from counted_now(of_resource) r cross join lateral counter_parts(r.block, r.dims) p where r.user_key = any(users)
  ),
  lowest as (
    select s.kind, s.key, s.level as scope_level, k.level, k.dims, k.market_id,
      case when s.level = 1 then 0 when s.level = 2 and k.level = 3 then k.block >> 5 << 5 else k.block end as block,
      sum(k.n) as n, sum(k.s1) as s1, sum(k.s2) as s2, sum(k.s3) as s3
    from keyed k join scope s on s.kind = k.kind and s.key = k.key group by 1, 2, 3, 4, 5, 6, 7
  )
  select l.kind, l.key, b.level, b.block, l.dims, l.market_id, sum(l.n)::bigint, sum(l.s1), sum(l.s2), sum(l.s3)
  from lowest l cross join lateral counter_places(l.scope_level, l.level, l.block) b
  group by l.kind, l.key, b.level, b.block, l.dims, l.market_id
  having sum(l.n) <> 0 or sum(l.s1) <> 0 or sum(l.s2) <> 0 or sum(l.s3) <> 0;
end $$;

-- Adds deltas to the counters. One transaction at a time; the others leave without doing anything.
create or replace function compact_counters() returns void language plpgsql security definer set search_path = public, pg_temp as $$
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
  select k.resource, k.kind, k.key, b.level, b.block, p.dims, k.market_id, sum(k.n), sum(k.s1), sum(k.s2), sum(k.s3)
  from keyed k join counter_scope s on (s.resource, s.kind, s.key) = (k.resource, k.kind, k.key) and s.level > 0
  cross join lateral counter_parts(k.block, k.dims) p
  cross join lateral counter_places(s.level, p.level, p.block) b
  group by k.resource, k.kind, k.key, b.level, b.block, p.dims, k.market_id
  on conflict (resource, kind, key, level, block, dims, market_id) do update
  set n = c.n + excluded.n, s1 = c.s1 + excluded.s1, s2 = c.s2 + excluded.s2, s3 = c.s3 + excluded.s3;
  perform grow_counters();
end $$;

-- Moves the counted rows of agents into scopes (sign 1) or out of them (-1). If the agents are the whole subtree of one of them,
-- its root, and the root has counters of blocks, these are added instead of the rows.
create or replace function move_counters(agents bigint[], kinds smallint[], keys bigint[], signs integer[], root bigint default null)
returns void language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  r smallint;
  by_counters boolean;
begin
  -- Compaction must not read the tree while it changes.
  perform pg_advisory_xact_lock(5300002);
  for r in select distinct resource from counter_source loop
    by_counters := exists (select from counter_scope s where s.resource = r and s.kind = 1 and s.key = root and s.level = 3);
    with part as materialized (
      select c.agent_key, p.level, p.block, p.dims, c.market_id, sum(c.n) as n, sum(c.s1) as s1, sum(c.s2) as s2, sum(c.s3) as s3
      from counted_now(r) c cross join lateral counter_parts(c.block, c.dims) p
      where not by_counters and c.agent_key = any(agents) group by c.agent_key, p.level, p.block, p.dims, c.market_id
      union all
      select root, c.level, c.block, c.dims, c.market_id, c.n, c.s1, c.s2, c.s3 from counter c
      where by_counters and c.resource = r and c.kind = 1 and c.key = root and c.level in (3, 5)
    ),
    keyed as materialized (
      select m.kind, m.key, p.level, p.block, p.dims, p.market_id, sum(m.sign * p.n) as n, sum(m.sign * p.s1) as s1,
        sum(m.sign * p.s2) as s2, sum(m.sign * p.s3) as s3
      from part p join unnest(agents, kinds, keys, signs) m(agent_key, kind, key, sign) using (agent_key)
      group by m.kind, m.key, p.level, p.block, p.dims, p.market_id
    ),
    sized as (
      insert into counter_scope as s (resource, kind, key, n, wanted)
      select r, kind, key, sum(n), counter_level(sum(n)::bigint) from keyed where level = 3 group by kind, key
      on conflict (resource, kind, key) do update
      set n = s.n + excluded.n, wanted = greatest(s.wanted, counter_level(s.n + excluded.n))
    )
    insert into counter as c (resource, kind, key, level, block, dims, market_id, n, s1, s2, s3)
    select r, k.kind, k.key, b.level, b.block, k.dims, k.market_id, sum(k.n), sum(k.s1), sum(k.s2), sum(k.s3)
    from keyed k join counter_scope s on s.resource = r and s.kind = k.kind and s.key = k.key and s.level > 0
    cross join lateral counter_places(s.level, k.level, k.block) b
    group by k.kind, k.key, b.level, b.block, k.dims, k.market_id
    on conflict (resource, kind, key, level, block, dims, market_id) do update
    set n = c.n + excluded.n, s1 = c.s1 + excluded.s1, s2 = c.s2 + excluded.s2, s3 = c.s3 + excluded.s3;
  end loop;
end $$;

-- The totals of a user with counters. A function, because its plan costs nothing for the users without counters.
create or replace function sums_of_user(of_resource smallint, of_user bigint)
returns table (dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric) language sql stable security definer
set search_path = public, pg_temp as $$
  select c.dims, c.market_id, c.n, c.s1, c.s2 from counter c
  where c.resource = of_resource and c.kind = 3 and c.key = of_user and c.level = 4 and user_in_scope(of_user)
  union all
  select d.dims, d.market_id, d.n, d.s1, d.s2 from deltas_of_user(of_resource, of_user) d
$$;

select count_table('withdraw', resource, 14::smallint, image) from counter_source where table_name = 'withdraw';

select count_table('entry', 3::smallint, 15::smallint, $$
  select r.id, r.agent_id as agent_key, r.user_id as user_key, array[0, r.type::int, r.platform, (r.bucket = 'frozen')::int] as dims, r.market_id, 1 as n,
    r.amount as s1, 0::numeric as s2, 0::numeric as s3, r.created_at as at
  from {rows} r where r.user_id is not null$$);

-- A reconciled entry is moved from state 0 to its state.
select count_table('fund_check', 3::smallint, 15::smallint, $$
  select r.entry_id as id, r.agent_id as agent_key, r.user_id as user_key, array[m.state, r.type::int, r.platform, (r.bucket = 'frozen')::int] as dims, r.market_id,
    m.n, m.n * r.amount as s1, 0::numeric as s2, 0::numeric as s3, r.created_at as at
  from {rows} r cross join lateral (values (r.state::int, 1), (0, -1)) m(state, n) where r.state <> 0$$);

truncate counter;
select rebuild_counters();
