-- Blocks and spans whatever they are filtered by are counted by coin too, and those of fund records by their state alone.
-- Levels: 0 a block, 1 a span; 2 and 3 the same with d1 and d2 0; 4 and 5 with the state as d1 and d2 0.
insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
select noun, kind, key, level + 2, market_key, block, 0, 0, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
from roll_block where level < 2 and market_key <> 0 group by noun, kind, key, level, market_key, block;
insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
select noun, kind, key, level + 4, market_key, block, d2 / 100, 0, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
from roll_block where noun = 3 and level < 2 group by noun, kind, key, level, market_key, block, d2 / 100;
