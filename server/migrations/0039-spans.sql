-- Blocks are counted by the span as well: where a page of millions lies is found among some dozen spans, and then among the
-- blocks of one.
alter table roll_block drop constraint roll_block_pkey;
-- 0: a block; 1: the span of all blocks whose numbers differ in their last 5 bits only.
alter table roll_block add column level smallint not null default 0;

insert into roll_block (noun, kind, key, level, market_key, block, d1, d2, n, s1, s2, s3, lo, hi)
select noun, kind, key, 1, market_key, block >> 5, d1, d2, sum(n), sum(s1), sum(s2), sum(s3), min(lo), max(hi)
from roll_block group by noun, kind, key, market_key, block >> 5, d1, d2;

alter table roll_block alter column level drop default;
alter table roll_block add primary key (noun, kind, key, level, market_key, block, d1, d2);
