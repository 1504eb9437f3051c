-- no-transaction
-- Users with a switch in its rare position, by an index-only scan; the usual positions are nearly all users.
create index concurrently if not exists users_switched on users (id)
  include (agent_id, trade, ieo_buy, ieo_sell, ai, win_type, state, auth, created_at)
  where deleted_at is null and (trade = 0 or ieo_buy = 0 or ieo_sell = 0 or ai = 1 or win_type = 1);
