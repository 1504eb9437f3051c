-- Platforms number the versions of markets by time, in milliseconds.
alter table market alter column platform_version type bigint;
