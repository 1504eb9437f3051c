-- A connection that planned this function while the table was small keeps reading all of it: 2.5 ms for each withdrawal
-- with 44,000 scopes, instead of 0.02 ms.
alter function has_counters(smallint, bigint) set enable_seqscan = off;
