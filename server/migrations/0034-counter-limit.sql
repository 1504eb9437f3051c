-- Scopes from 10,000 rows on have counters of large blocks. Between 10,000 and 20,000 rows a page sorted all rows of the scope,
-- which took twice the time of a page of larger scopes. The next compaction computes the missing counters.
lock table counter_scope in share row exclusive mode;
lock table counter_limit in share row exclusive mode nowait;

update counter_limit set large_rows = 10000;
update counter_scope set wanted = counter_level(n) where counter_level(n) > level;
