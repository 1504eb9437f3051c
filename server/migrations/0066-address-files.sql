-- Files of addresses are read in steps: what they contain is kept in rows until their draft is applied. A file whose upload
-- was interrupted belongs to no draft.
lock table address_import in access exclusive mode;

alter table address_import
  -- Different addresses of the files in address_file; 0 of a file of an older version, whose addresses are in `entries`.
  add column entry_count integer not null default 0,
  -- Remarks of the SDN list whose other part is not among the files.
  add column unfinished integer not null default 0;
grant update (checksum, found, as_text, entry_count, unfinished) on address_import to {{app}};

create table address_file (
  id bigint generated always as identity primary key,
  import_id bigint,
  list smallint not null,
  file_name text not null,
  by_account text not null,
  -- Version of the rules that read the file.
  rules smallint not null,
  created_at bigint not null,
  -- Known once the file is read.
  format text,
  checksum text,
  bytes bigint,
  found integer
);
create index address_file_import on address_file (import_id);

create table address_file_entry (
  file_id bigint not null,
  account text not null,
  address_key text not null,
  address text not null,
  network text not null,
  memo text not null,
  reason text not null,
  as_text boolean not null,
  primary key (file_id, account)
);

-- Remarks of the SDN list that end at 1,000 characters, and their rests.
create table address_file_remark (
  file_id bigint not null,
  line integer not null,
  number text not null,
  is_rest boolean not null,
  remarks text not null,
  primary key (file_id, line)
);

do $$
declare
  t text;
  scope_all constant text := $q$(select current_setting('app.scope', true)) = 'all'$q$;
begin
  foreach t in array array['address_file', 'address_file_entry', 'address_file_remark'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy everything on %I using (%s) with check (%s)', t, scope_all, scope_all);
  end loop;
end
$$;
grant select, insert, delete on address_file, address_file_entry, address_file_remark to {{app}};
grant update (import_id, format, checksum, bytes, found) on address_file to {{app}};
