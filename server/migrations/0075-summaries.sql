-- no-transaction
-- Page ranges are summarized by the vacuum of their table. With autosummarize, PostgreSQL asks for them at each naptime, and
-- that cancels a vacuum of the table which takes longer: a large table that grows was never vacuumed. A vacuum after every
-- fiftieth of the rows instead of every fifth keeps the ranges that are not summarized few.
alter index withdraw_times set (autosummarize = off);
alter index withdraw_created set (autosummarize = off);
alter index auth_created set (autosummarize = off);
alter index ieo_created set (autosummarize = off);
alter index approval_created set (autosummarize = off);
alter index trade_order_created set (autosummarize = off);
alter index session_created set (autosummarize = off);
alter table withdraw set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table auth set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table ieo set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table approval set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table trade_order set (autovacuum_vacuum_insert_scale_factor = 0.02);
alter table session set (autovacuum_vacuum_insert_scale_factor = 0.02);
