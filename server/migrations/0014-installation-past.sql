-- How far the history of a platform that moves in has come; written with each call of events until the installation is
-- live. A display figure: the rows themselves and the inbox are the truth.
alter table installation
  add column past_from bigint,
  add column past_reached bigint,
  add column past_events bigint not null default 0,
  add column past_heard bigint;
grant update (past_from, past_reached, past_events, past_heard) on installation to {{app}};
