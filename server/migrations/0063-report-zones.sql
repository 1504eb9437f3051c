-- The time zone that cuts the days of reports, from a time on. A change lengthens the day on which it is made: that day ends at
-- the first midnight of the new zone after its own. Days that have ended keep their bounds.
lock table config in share row exclusive mode;
lock table installation in share mode nowait;

create table report_zone (
  starts_at bigint primary key,
  zone text not null,
  -- What this zone's days end with, if another zone follows.
  ends_at bigint not null default 9007199254740991,
  -- The last of this zone's days, as YYYY-MM-DD.
  last_day text not null default 'infinity',
  check (starts_at < ends_at)
);
alter table report_zone enable row level security;
create policy shared on report_zone using ((select current_setting('app.scope', true)) <> '')
  with check ((select current_setting('app.scope', true)) <> '');
grant select, insert, update, delete on report_zone to {{app}};

insert into report_zone (starts_at, zone)
select 0, coalesce((select report_zone from installation), 'Asia/Shanghai');

-- The setting of an existing installation; the first start gives it its name.
insert into config (key, name, group_name, kind, str, updated_at)
select 'report.zone', 'report.zone', '平台', 'str', report_zone, 0 from installation;
