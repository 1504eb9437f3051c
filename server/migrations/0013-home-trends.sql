-- For the trends of the home page, which count records by the time they began: the time follows the id closely, so that
-- a summary of page ranges is enough.

create index withdraw_created on withdraw using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index auth_created on auth using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index ieo_created on ieo using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index approval_created on approval using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index trade_order_created on trade_order using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index session_created on session using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index users_deleted on users (deleted_at) include (agent_id, created_at) where deleted_at is not null;
