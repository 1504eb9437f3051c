-- no-transaction

-- What is in a coin of which there are few rows, or came from a source that few have, is put in the order of its amount
-- without a look at all others; agent by agent as well. All rows are in them; PostgreSQL takes them only where it is told so,
-- since of a coin that many have it would collect millions of places in order to read some fewer rows.
create index concurrently if not exists withdraw_market on withdraw (market_id, agent_id, id)
  where recorded_at is distinct from 0;
create index concurrently if not exists recharge_market on recharge (market_id, agent_id, id)
  where recorded_at is distinct from 0;
create index concurrently if not exists recharge_source on recharge (source, agent_id, id)
  where recorded_at is distinct from 0;
