-- Blocks are counted by the span as well, and both whatever the rows are filtered by: where a page of millions lies is found
-- among some dozen spans, and then among the blocks of one.
alter table roll_block drop constraint roll_block_pkey;
-- 0: a block; 1: the span of all blocks whose numbers differ in their last 5 bits only; 2 and 3: the same with d1 and d2 0,
-- for all rows of whatever d1 and d2, and all coins together.
alter table roll_block add column level smallint not null default 0;

insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
select noun, kind, key, 1, market_key, block >> 5, d1, d2, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
from roll_block group by noun, kind, key, market_key, block >> 5, d1, d2;
insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
select noun, kind, key, level + 2, 0, block, 0, 0, sum(n), 0, 0, 0, min(lo), max(hi)
from roll_block where market_key = 0 group by noun, kind, key, level, block;

alter table roll_block alter column level drop default;
alter table roll_block add primary key (noun, kind, key, level, market_key, block, d1, d2);
