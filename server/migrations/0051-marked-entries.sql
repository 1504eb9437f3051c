-- What never changes of an entry stands beside its mark as well, as its user does: those in a certain state are few, and were
-- looked up one by one among all others for their coin and amount.
alter table fund_check
  add column market_id bigint references market (id),
  add column platform smallint,
  add column bucket text,
  add column type smallint,
  add column amount numeric(36, 18),
  add column created_at bigint;
update fund_check c set market_id = e.market_id, platform = e.platform, bucket = e.bucket, type = e.type, amount = e.amount,
    created_at = e.created_at
from entry e where e.id = c.entry_id;
alter table fund_check
  alter column market_id set not null,
  alter column platform set not null,
  alter column bucket set not null,
  alter column type set not null,
  alter column amount set not null,
  alter column created_at set not null;
