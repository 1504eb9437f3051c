-- Recent uses of actions that an operator, or all operators of a branch (kept with its topmost one), may only do so often:
-- their times, oldest first.
create table operator_rate (
  operator_id bigint not null,
  name text not null,
  times bigint[] not null,
  primary key (operator_id, name)
);

grant select, insert, update on operator_rate to {{app}};
alter table operator_rate enable row level security;
create policy everything on operator_rate using ((select current_setting('app.scope', true)) = 'all');

-- Whether a signal was ever running: a draft that was discarded has ended, too, and was never anybody's to see.
alter table signal add column published smallint not null default 0 check (published in (0, 1));
update signal s set published = 1
  where s.state = 1
    or (s.state = 2 and (s.by_account is null
      or exists (select from follow f where f.signal_id = s.id)
      or exists (select from command c where c.type = 'signal.published' and c.ref_type = 'signal' and c.ref_id = s.id)));
grant update (published) on signal to {{app}};
