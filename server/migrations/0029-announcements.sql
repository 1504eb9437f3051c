-- Announcements belong to the whole platform. What is deleted is gone from here; the audit chain keeps it.
create table announce (
  id bigint generated always as identity primary key,
  lang text not null check (lang in ('zh-CN', 'zh-TW', 'en', 'ja', 'ko', 'vi', 'th')),
  title text not null check (title <> ''),
  title_key text generated always as (lower(title)) stored,
  -- Cleaned before it is kept; whoever shows it may trust it.
  content text not null,
  platform smallint not null check (platform between 0 and 2),
  state smallint not null check (state in (0, 1)),
  by_account text not null,
  created_at bigint not null,
  recorded_at bigint not null,
  updated_at bigint not null
);
create index announce_title on announce (title_key text_pattern_ops);
create index announce_shown on announce (lang, id desc) where state = 1;

grant select, insert, delete on announce to {{app}};
grant update (lang, title, content, platform, state, by_account, updated_at) on announce to {{app}};
alter table announce enable row level security;
create policy shared on announce
  using ((select coalesce(current_setting('app.scope', true), '')) <> '')
  with check ((select coalesce(current_setting('app.scope', true), '')) <> '');
