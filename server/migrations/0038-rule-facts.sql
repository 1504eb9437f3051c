-- no-transaction
-- More facts for rules. They are not known for withdrawals whose facts are recorded already.
alter table withdraw_fact
  add column if not exists kyc_hours integer,
  add column if not exists login_gap_days integer,
  add column if not exists ip_users integer,
  add column if not exists ip_hours integer,
  add column if not exists device_hours integer,
  add column if not exists gain_share numeric(60, 18);
-- Who else logged in from an IP address.
create index concurrently if not exists user_login_ip on user_login (ip, created_at desc);
