-- Leases of commands. A command in state 0 with a running lease is held by one program of the platform, or by the webhook
-- that is sending it; the lease token tells its receipt and answer from those of an earlier lease.

alter table command
  add column lease uuid,
  add column lease_seconds integer,
  -- Null after the receipt.
  add column lease_until bigint,
  -- Leases since the last receipt.
  add column lease_count integer not null default 0;
