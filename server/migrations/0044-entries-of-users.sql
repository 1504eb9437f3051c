-- no-transaction

-- Fund records of many users at once are added up and put in order from an index alone, as withdrawals and recharges are.
create index concurrently if not exists entry_of_user on entry (user_id, id desc)
  include (agent_id, market_id, type, platform, bucket, amount, created_at) where user_id is not null;
drop index concurrently if exists entry_user;
