-- Entries of address lists are compared by accounts and memos, which the program reads from their texts.
lock table address_entry in access exclusive mode;
lock table address_import in access exclusive mode nowait;

alter table address_entry
  add column memo text not null default '',
  -- Of an allowed address: with every memo.
  add column any_memo boolean not null default false,
  -- Equal for all texts of an account and memo. Empty until the entry is keyed.
  add column account text not null default '',
  -- Version of the rules that made account and keys; 0: not keyed yet, such as entries of servers of the last release.
  add column rules smallint not null default 0;
create index address_entry_account on address_entry (list, account) where removed_at is null;
create index address_entry_rules on address_entry (rules) where removed_at is null;

-- What an entry is found by: accounts, accounts with a memo, and owners of accounts. Without a foreign key, whose checks cost
-- as much as the rows: entries are never deleted.
create table address_entry_key (
  key text not null,
  entry_id bigint not null,
  primary key (key, entry_id)
);
create index address_entry_key_entry on address_entry_key (entry_id);
alter table address_entry_key enable row level security;
create policy everything on address_entry_key using ((select current_setting('app.scope', true)) = 'all')
  with check ((select current_setting('app.scope', true)) = 'all');
grant select, insert, delete on address_entry_key to {{app}};
grant update (account, rules) on address_entry to {{app}};

alter table address_import
  -- Mentions of addresses, and entries that are compared by their text.
  add column found integer not null default 0,
  add column as_text integer not null default 0,
  -- Version of the rules that read the file; 0: a file of an older version.
  add column rules smallint not null default 0;
