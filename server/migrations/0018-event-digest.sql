-- The content of an applied event, so that the same eventId with other content is recognised. Null for events that were
-- applied before this column existed, and for those that an older release applies beside this one.

alter table inbox add column digest bytea check (octet_length(digest) = 16);
