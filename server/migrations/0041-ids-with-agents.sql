-- no-transaction

-- Where a page lies is found by looking at the ids of one block. Whose they are, and in which state, stands beside them in
-- the index now, so that some twenty pages are read for it and not some hundred.
create unique index concurrently if not exists withdraw_id on withdraw (id) include (agent_id, state);
alter table withdraw drop constraint withdraw_pkey, add constraint withdraw_pkey primary key using index withdraw_id;

create unique index concurrently if not exists recharge_id on recharge (id) include (agent_id, state, source);
alter table recharge drop constraint recharge_pkey, add constraint recharge_pkey primary key using index recharge_id;

create unique index concurrently if not exists entry_id on entry (id) include (agent_id, user_id);
alter table fund_check drop constraint if exists fund_check_entry_id_fkey;
alter table entry drop constraint entry_pkey, add constraint entry_pkey primary key using index entry_id;
alter table fund_check add constraint fund_check_entry_id_fkey foreign key (entry_id) references entry (id) not valid;
alter table fund_check validate constraint fund_check_entry_id_fkey;
