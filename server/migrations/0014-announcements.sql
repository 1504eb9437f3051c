-- Announcements: pinned ones, a time of publication, the languages that belong together, and images.

alter table announce
  add column pinned smallint not null default 0 check (pinned in (0, 1)),
  add column publish_at bigint,
  -- The first announcement of the same call; null for itself. The first one may be deleted, so it is no foreign key.
  add column first_id bigint,
  add constraint announce_scheduled check (publish_at is null or state = 0);

-- The languages of one call have the same time and author.
update announce a set first_id = f.id
from (select id as member, min(id) over (partition by created_at, by_account) as id from announce) f
where f.member = a.id and f.id <> a.id;

create index announce_group on announce (coalesce(first_id, id)) include (lang);
create index announce_scheduled_at on announce (publish_at) where publish_at is not null;

-- Images as the server encoded them. The key cannot be guessed; an image never changes under its key.
create table announce_image (
  key text primary key check (key ~ '^[0-9a-f]{32}$'),
  type text not null,
  bytes bytea not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  by_account text not null,
  created_at bigint not null,
  recorded_at bigint not null,
  -- The last upload or save that named it. Unused images are deleted a day later.
  used_at bigint not null
);
create index announce_image_age on announce_image (used_at);

create table announce_image_use (
  announce_id bigint not null references announce (id) on delete cascade,
  image_key text not null references announce_image (key),
  primary key (announce_id, image_key)
);
create index announce_image_used on announce_image_use (image_key);

alter table announce_image enable row level security;
alter table announce_image_use enable row level security;
create policy shared on announce_image
  using ((select coalesce(current_setting('app.scope', true), '')) <> '')
  with check ((select coalesce(current_setting('app.scope', true), '')) <> '');
create policy shared on announce_image_use
  using ((select coalesce(current_setting('app.scope', true), '')) <> '')
  with check ((select coalesce(current_setting('app.scope', true), '')) <> '');
grant select, insert, delete on announce_image, announce_image_use to {{app}};
grant update (used_at) on announce_image to {{app}};
grant update (pinned, publish_at) on announce to {{app}};
