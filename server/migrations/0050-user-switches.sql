-- no-transaction
-- Totals and pages of users by their switches and payout tier too, by an index-only scan.
create index concurrently if not exists users_listed on users (agent_id, id)
  include (state, auth, created_at, trade, ieo_buy, ieo_sell, ai, win_type) where deleted_at is null;
drop index concurrently if exists users_list;
