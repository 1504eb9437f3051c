-- no-transaction

-- What is not counted is added up and put in order from an index alone: withdrawals with a risk, and all rows of many
-- users at once.
drop index concurrently if exists withdraw_risk;
create index concurrently if not exists withdraw_risky on withdraw (id)
  include (risk, agent_id, state, market_id, amount, fee, received, created_at) where risk <> '{}';

create index concurrently if not exists withdraw_of_user on withdraw (user_id, id desc)
  include (agent_id, state, market_id, amount, fee, received, created_at);
drop index concurrently if exists withdraw_user;
create index concurrently if not exists recharge_of_user on recharge (user_id, id desc)
  include (agent_id, state, source, market_id, amount, created_at);
drop index concurrently if exists recharge_user;
