-- Keys by which identity reviews are compared. The server makes them, so that they are the same under every locale of the
-- database. A job fills those of existing rows and of rows that servers of the last release write; until then they are null.
alter table auth add column number_key text, add column name_key text;
grant update (number_key, name_key) on auth to {{app}};
