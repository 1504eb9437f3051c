-- A rebuild adds up rows by block and all dims before it splits them into the smallest counters, and joins the scopes of an agent
-- instead of looking for them by agent: ten million withdrawals took 168 s instead of 201.

-- The counters of a resource's scopes, computed from the rows: of scopes that are growing, or else of those that have counters.
-- Each row is added to its agent's own scope, its user, and the nearest tree above it; trees are then added up, and then the
-- higher levels, from counters of the lowest level of their scope. The arrays let the planner see whether the scopes have few of
-- the rows, which it then reads by an index.
create or replace function compute_counters(of_resource smallint, growing boolean)
returns table (kind smallint, key bigint, level smallint, block bigint, dims integer[], market_id bigint, n bigint, s1 numeric, s2 numeric,
  s3 numeric)
language plpgsql stable set work_mem = '256MB' set plan_cache_mode = force_custom_plan set enable_sort = off as $$
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
  tree as materialized (
    select distinct on (c.descendant) c.descendant, c.ancestor
    from scope s join closure c on c.ancestor = s.key join agent above on above.id = s.key
    where s.kind = 1 order by c.descendant, above.depth desc
  ),
  owner as materialized (
    select a.id, s.key as own, t.ancestor as tree
    from agent a left join tree t on t.descendant = a.id
    left join agent shown on shown.account_key = a.shown_key
    left join scope s on s.kind = 2 and s.key = shown.id
    where a.id = any(agents)
  ),
  by_block as (
    select o.own, o.tree, r.block, r.dims, r.market_id, sum(r.n) as n, sum(r.s1) as s1, sum(r.s2) as s2, sum(r.s3) as s3
    from counted_now(of_resource) r join owner o on o.id = r.agent_key
    where r.agent_key = any(agents) group by o.own, o.tree, r.block, r.dims, r.market_id
  ),
  by_agent as materialized (
    select r.own, r.tree, p.level, p.block, p.dims, r.market_id, sum(r.n) as n, sum(r.s1) as s1, sum(r.s2) as s2, sum(r.s3) as s3
    from by_block r cross join lateral counter_parts(r.block, r.dims) p
    group by r.own, r.tree, p.level, p.block, p.dims, r.market_id
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

-- In the order of the primary key. In the order of a hash each row dirtied other pages: 3.6 million totals wrote 18.3 GB of log
-- instead of 3.8.
create or replace function rebuild_addresses() returns void language plpgsql set work_mem = '256MB' as $$
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
    array(select address from counter_address_scope where address is not null)) c
  order by user_key, address;
end $$;
