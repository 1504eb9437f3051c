-- no-transaction

-- Withdrawals with a risk are added up and put in order from an index alone, whoever's they are. Those of some users are as
-- well now, whatever else is asked for or ordered by.
create index concurrently if not exists withdraw_risks on withdraw (id)
  include (risk, user_id, agent_id, state, market_id, amount, fee, received, valuation, reviewed_at, created_at)
  where risk <> '{}';
drop index concurrently if exists withdraw_risky;
