lock table account in access exclusive mode;
lock table agent, market in share row exclusive mode nowait;

-- The owner's capital and what chains take for payouts are accounts of the house; people move money between its accounts.
alter table account drop constraint account_owner_check;
alter table account add constraint account_owner_check check (
  owner in ('user', 'custody', 'fee', 'adjustment', 'trading', 'subscription', 'insurance', 'capital', 'chainFee')
) not valid;

create table house_transfer (
  id bigint generated always as identity primary key,
  market_id bigint not null references market (id),
  from_house text not null,
  to_house text not null check (to_house <> from_house),
  amount numeric(36, 18) not null check (amount > 0),
  reason text not null,
  -- Of what was paid in or out on a chain.
  tx_hash text,
  -- Null if the first data of an installation made it.
  operator_id bigint references agent (id),
  checker_id bigint references agent (id),
  created_at bigint not null,
  recorded_at bigint not null,
  check (
    case 'custody' when from_house then to_house = 'capital' and tx_hash is not null
      when to_house then from_house = 'capital' and tx_hash is not null else true end
  )
);
grant select, insert on house_transfer to {{app}};
select protect('house_transfer');
