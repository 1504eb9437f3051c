-- Counters of large blocks: a page or a time range is looked for among them first, and then among the blocks of one large block.
-- Each counter names its level. Level 1 is the whole scope (block 0), 2 a large block of 32 blocks, 3 a block. A scope of level n
-- has the counters of levels 1 to n.
delete from counter;
alter table counter add column level smallint not null;
alter table counter drop constraint counter_pkey;
alter table counter add primary key (resource, kind, key, level, block, dims, market_id);
-- Room for the next version of a counter beside it: lists read counters fast because those of a place are in few disk pages.
alter table counter set (fillfactor = 80);

-- large_rows is the number of rows from which on a scope has counters of large blocks.
alter table counter_limit add column large_rows bigint not null default 20000;
alter table counter_limit alter column large_rows drop default;
update counter_limit set block_rows = 100000;

create or replace function counter_level(rows bigint) returns smallint language sql stable as $$
  select case when rows > block_rows then 3 when rows > large_rows then 2 when rows > total_rows then 1 else 0 end::smallint
  from counter_limit
$$;

-- The counters that contain a row of a block, in a scope of a level.
create function counter_places(of_level smallint, of_block bigint) returns table (level smallint, block bigint)
language sql immutable as $$
  select v.level, v.block from (values (1::smallint, 0::bigint), (2::smallint, of_block >> 5), (3::smallint, of_block)) v(level, block)
  where v.level <= of_level
$$;

drop function check_counters, compute_counters;
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

create or replace function grow_counters() returns void language plpgsql as $$
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
  select k.resource, k.kind, k.key, b.level, b.block, k.dims, k.market_id, sum(k.n), sum(k.s1), sum(k.s2), sum(k.s3)
  from keyed k join counter_scope s on (s.resource, s.kind, s.key) = (k.resource, k.kind, k.key) and s.level > 0
  cross join lateral counter_places(s.level, k.block) b
  group by k.resource, k.kind, k.key, b.level, b.block, k.dims, k.market_id
  on conflict (resource, kind, key, level, block, dims, market_id) do update
  set n = c.n + excluded.n, s1 = c.s1 + excluded.s1, s2 = c.s2 + excluded.s2, s3 = c.s3 + excluded.s3;
  perform grow_counters();
end $$;

drop function move_counters;
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

create or replace function count_moved_agents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
revoke execute on function compute_counters, counter_places, move_counters, check_counters from public;

create or replace function sums_of_user(of_resource smallint, of_user bigint)
returns table (dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric) language sql stable security definer
set search_path = public, pg_temp as $$
  select c.dims, c.market_id, c.n, c.s1, c.s2 from counter c
  where c.resource = of_resource and c.kind = 3 and c.key = of_user and c.level = 1 and user_in_scope(of_user)
  union all
  select d.dims, d.market_id, d.n, d.s1, d.s2 from deltas_of_user(of_resource, of_user) d
$$;

select rebuild_counters();
