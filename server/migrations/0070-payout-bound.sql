-- The time in which a server could take events of the platform, in milliseconds. Servers add to it; what passes while none runs
-- does not count.
create table intake_clock (
  id boolean primary key default true check (id),
  counted_ms bigint not null,
  -- Unix milliseconds.
  beat_at bigint not null
);
insert into intake_clock (counted_ms, beat_at) values (0, 0);
select protect('intake_clock');
grant select, update on intake_clock to {{app}};

-- When a payout was last reported as under way, by that clock. Null for one that was before the upgrade, until a server sees it.
alter table withdraw add column paying_from bigint,
  -- When its outcome became unknown because the wallet said nothing for too long, in unix milliseconds; null for all others.
  add column silent_at bigint;
