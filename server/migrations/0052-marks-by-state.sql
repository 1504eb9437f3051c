-- no-transaction

-- Marked entries are filtered, added up and put in order from an index alone: everybody's, agent by agent or user by user.
create index concurrently if not exists fund_check_of_state on fund_check (state, entry_id)
  include (user_id, agent_id, market_id, type, platform, bucket, amount, created_at);
create index concurrently if not exists fund_check_of_agent on fund_check (agent_id, state, entry_id)
  include (user_id, market_id, type, platform, bucket, amount, created_at);
create index concurrently if not exists fund_check_of_user on fund_check (user_id, state, entry_id)
  include (agent_id, market_id, type, platform, bucket, amount, created_at);
drop index concurrently if exists fund_check_state;
drop index concurrently if exists fund_check_user;
