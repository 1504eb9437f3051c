-- Whether the password was set by somebody else than the operator.
alter table agent add column password_by_other boolean not null default false;
