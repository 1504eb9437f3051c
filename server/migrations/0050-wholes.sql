-- All rows of a key that has blocks are counted as one block as well: 10 whatever they are, and 12 by the state of fund records.
-- Those of whoever has blocks already come from the spans, levels 3 and 5.
insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
select noun, kind, key, level + 7, market_key, 0, d1, d2, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
from roll_block where level in (3, 5) group by noun, kind, key, level, market_key, d1, d2
on conflict do nothing;
