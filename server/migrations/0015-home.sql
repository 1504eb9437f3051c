-- When a withdrawal was paid. Its updated_at tells when the row was last written, which for one that was brought in from
-- an earlier life is the day it was brought in.
alter table withdraw add column paid_at bigint;
update withdraw set paid_at = case when updated_at = recorded_at then coalesce(reviewed_at, created_at) else updated_at end
where state = 4;

-- The figures of the home page: what happened since a moment, whatever the length of the history before it. They carry
-- the agent, so that a tree is sifted without a look at the table.
create index recharge_credited on recharge (credited_at) include (agent_id, market_id, amount) where state = 1;
create index withdraw_paid_at on withdraw (paid_at) include (agent_id, market_id, amount) where state = 4;
create index withdraw_reviewed on withdraw (reviewed_at) include (agent_id, created_at) where reviewed_at is not null;
create index users_created on users (created_at) include (agent_id) where deleted_at is null;
