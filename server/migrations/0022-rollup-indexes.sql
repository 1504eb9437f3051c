-- no-transaction

-- All that a total, its sums and the place of a row need, in the index: for trees with few rows, which have no blocks.
create index concurrently if not exists withdraw_of_agent on withdraw (agent_id, id)
  include (state, market_id, amount, fee, received, created_at);
create index concurrently if not exists recharge_of_agent on recharge (agent_id, id)
  include (state, source, market_id, amount, created_at);
create index concurrently if not exists entry_of_agent on entry (agent_id, id)
  include (type, market_id, amount, created_at, user_id, platform, bucket);
create index concurrently if not exists users_list on users (agent_id, id)
  include (state, auth, created_at) where deleted_at is null;
drop index concurrently if exists entry_agent;

create index concurrently if not exists recharge_state on recharge (state, id desc);
create index concurrently if not exists recharge_address on recharge (address);
create index concurrently if not exists recharge_hash on recharge (tx_hash) where tx_hash <> '';
create index concurrently if not exists entry_ref on entry (ref_id);
create index concurrently if not exists fund_check_state on fund_check (state, entry_id);
create index concurrently if not exists withdraw_risk on withdraw using gin (risk);
