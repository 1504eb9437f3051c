import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { house as calls } from '@hengtai/contract/funds/house/calls';
import { INSURANCE_BOUND } from '@hengtai/contract/funds/house/facts';
import { SETTLEMENT, type SystemAccount } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { entrySums } from '../ledger-entry/ledger-entry.store.ts';
import { requireHouseReader } from './house.rules.ts';

const entries: ListSource = {
  fields: sql`
    e.id, a.owner as house, a.market_id as "marketId", m.market_name as "marketName", e.type, e.amount,
    o.user_id as "userId", u.account, e.ref_type as "refType", e.ref_id as "refId", e.remark, coalesce(h.tx_hash, f.tx_hash) as "txHash",
    g.account as operator, e.created_at as "happenedAt", e.recorded_at as "createdAt"`,
  from: sql`entry e
    join account a on a.id = e.account_id
    left join market m on m.id = a.market_id
    left join entry o on o.leg_id = e.leg_id and o.side = -e.side
    left join users u on u.id = o.user_id
    left join agent g on g.id = e.operator_id
    left join house_transfer h on h.id = e.ref_id and e.ref_type = 'houseTransfer'
    left join chain_fee f on f.id = e.ref_id and e.ref_type = 'chainFee'`,
  id: 'e.id',
  // When it was posted, as balances of a moment count it; business time may be long before.
  createdAt: 'e.recorded_at',
  filters: { house: 'a.owner', marketId: 'a.market_id', type: 'e.type', id: 'e.id', refId: 'e.ref_id' },
  sums: { marketId: 'a.market_id', ...entrySums },
  where: sql<boolean>`e.user_id is null and a.user_id is null`,
};

/** Not by id: to find the few entries of a rare account, PostgreSQL would read those of all others. */
export const listHouseEntries = defineList(
  calls.entries,
  (ctx) => {
    requireHouseReader(ctx);
    return entries;
  },
  { sort: '-createdAt' },
);

export interface TransferTarget {
  marketId: number;
  marketName: string;
  /** The balances of both accounts, decimal strings. */
  fromBalance: string;
  toBalance: string;
  /** The amount in USDT; null if the coin has no price. */
  valuation: string | null;
  pricedAt: number | null;
  /** Whether the coin has an open approval of a transfer. */
  hasOpenApproval: boolean;
}

/** Undefined for an unknown market, and for a pair. */
export async function findTransferTarget(
  db: Db,
  { marketId, from, to, amount }: { marketId: number; from: SystemAccount; to: SystemAccount; amount: string },
): Promise<TransferTarget | undefined> {
  const balanceOf = (house: SystemAccount) => sql`
    coalesce((select sum(balance) from account where owner = ${house} and market_id = m.id and user_id is null), 0)`;
  const { rows } = await sql<TransferTarget>`
    select m.id as "marketId", m.market_name as "marketName", ${balanceOf(from)} as "fromBalance",
      ${balanceOf(to)} as "toBalance", value_of(m.id, ${amount}::numeric) as valuation, usdt_price_at(m.id) as "pricedAt",
      exists (select from approval p where p.action = 'house.transfer' and p.target_type = 'house' and p.target_id = m.id
        and p.state = ${sql.lit(APPROVAL.open)}) as "hasOpenApproval"
    from market m where m.id = ${marketId} and m.base_id is null`.execute(db);
  return rows[0];
}

export interface NewTransfer {
  marketId: number;
  from: SystemAccount;
  to: SystemAccount;
  amount: string;
  reason: string;
  txHash: string | null;
  operatorId: number | null;
  checkerId: number | null;
  now: number;
}

export async function insertHouseTransfer(db: Db, row: NewTransfer): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into house_transfer (market_id, from_house, to_house, amount, reason, tx_hash, operator_id, checker_id, created_at,
      recorded_at)
    values (${row.marketId}, ${row.from}, ${row.to}, ${row.amount}::numeric, ${row.reason}, ${row.txHash}, ${row.operatorId},
      ${row.checkerId}, ${row.now}, ${row.now}) returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The insert of a transfer of the house returned no row.');
  return id;
}

/** In USDT; 0 is no alarm. */
export async function findInsuranceBound(db: Db): Promise<string> {
  const { rows } = await sql<{ num: string }>`select num from config where key = ${INSURANCE_BOUND}`.execute(db);
  return rows[0]?.num ?? '0';
}

export interface LowInsurance {
  marketId: number;
  balance: string;
  /** In USDT, at the last price. */
  value: string;
  /** The agent that alarms of the house belong to. */
  rootId: number;
}

/** The coins whose insurance is worth less than the bound: USDT, and the others that have used it and have a price. */
export async function fetchLowInsurances(db: Db, bound: string): Promise<LowInsurance[]> {
  const { rows } = await sql<LowInsurance>`
    select x.id as "marketId", x.balance, value_of(x.id, x.balance) as value,
      (select id from agent where parent_id is null) as "rootId"
    from (
      select m.id, coalesce(sum(a.balance), 0) as balance
      from market m left join account a on a.market_id = m.id and a.owner = 'insurance'
      where m.market_name = ${SETTLEMENT} or a.id is not null group by m.id
    ) x
    where value_of(x.id, x.balance) < ${bound}::numeric order by x.id`.execute(db);
  return rows;
}
