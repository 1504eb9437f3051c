-- no-transaction

-- The times of a withdrawal follow its id closely, so that a range of times needs only a summary of the pages.
create index concurrently if not exists withdraw_times on withdraw using brin (paid_at, reviewed_at)
  with (pages_per_range = 32, autosummarize = on);
drop index concurrently if exists withdraw_paid_at;
drop index concurrently if exists withdraw_reviewed;

-- withdraw_of_agent has the same rows with the state beside them.
drop index concurrently if exists withdraw_agent;
