-- Networks that an upgrade has opened, because records used them and the coin did not list them. Operators confirm them. Null:
-- still to be filled, by the first start of the new release. It compares networks by their names, which the program knows.
alter table market add column unconfirmed text[];
alter table market alter column unconfirmed set default '{}';
grant update (unconfirmed) on market to {{app}};
