-- What belongs to a deleted agent is shown as its heir's, and is counted with the heir's own from here on: one key for all that
-- a list shows under a name, whatever it took over.
with gone as (
  delete from roll_sum r using agent a join agent s on s.account_key = a.shown_key
  where r.kind = 2 and r.key = a.id and s.id <> a.id
  returning r.*, s.id as heir
)
insert into roll_sum as r (noun, kind, key, d1, d2, market_key, n, s1, s2, s3)
select noun, 2, heir, d1, d2, market_key, sum(n), sum(s1), sum(s2), sum(s3) from gone group by noun, heir, d1, d2, market_key
on conflict (noun, kind, key, d1, d2, market_key) do update
set n = r.n + excluded.n, s1 = r.s1 + excluded.s1, s2 = r.s2 + excluded.s2, s3 = r.s3 + excluded.s3;

create temporary table shown_otherwise on commit drop as
select a.id, s.id as heir from agent a join agent s on s.account_key = a.shown_key where s.id <> a.id;

-- Their blocks and ranges are made anew from the rows, by the job that adds up.
delete from roll_block where kind = 2 and key in (select id from shown_otherwise union select heir from shown_otherwise);
delete from roll_grid where kind = 2 and key in (select id from shown_otherwise);
insert into roll_grid (noun, kind, key)
select distinct noun, kind, key from roll_sum where kind = 2 and key in (select heir from shown_otherwise)
on conflict (noun, kind, key) do update set shift = null;
with dropped as (
  delete from roll_range where kind = 2 and key in (select id from shown_otherwise union select heir from shown_otherwise)
  returning noun, id
)
update roll_grid g set shift = null from dropped d where g.noun = d.noun and g.kind = 4 and g.key = d.id;
