import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import { type Tick, computeOutcome } from './binary-contract.rules.ts';

/** Contracts per query. */
const PAGE = 2_000;

interface CheckedContract {
  id: number;
  no: string;
  side: number;
  amount: string;
  payout: string;
  openAt: number;
  settleAt: number;
  tolerance: number;
  state: number;
  type: number;
  profit: string | null;
  openTick: number | null;
  closeTick: number | null;
  openPrice: string | null;
  closePrice: string | null;
  by: string | null;
  /** The first recorded ticks at or after opening and expiry. */
  opening: Tick | null;
  closing: Tick | null;
  /** Sum of the ledger entries of the user for this contract. */
  gained: string;
  /** The stake that is still frozen. */
  held: string;
}

export interface BinaryContractDiscrepancy {
  id: number;
  no: string;
  what: string;
}

/**
 * Recomputes every ended contract from the recorded ticks, with code that the settlement does not use, and compares the
 * result with the stored one and with the ledger. For contracts that an operator voided, only the money is compared.
 *
 * @returns the number of checked contracts, and the discrepancies
 */
export async function checkBinaryContracts(
  db: Db,
): Promise<{ checked: number; discrepancies: BinaryContractDiscrepancy[] }> {
  const discrepancies: BinaryContractDiscrepancy[] = [];
  let checked = 0;
  for (let after = 0; ;) {
    const rows = await fetchPage(db, after);
    for (const row of rows) {
      const what = findDiscrepancy(row);
      if (what !== undefined) discrepancies.push({ id: row.id, no: row.no, what });
    }
    checked += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return { checked, discrepancies };
    after = last.id;
  }
}

async function fetchPage(db: Db, after: number): Promise<CheckedContract[]> {
  const { rows } = await sql<CheckedContract>`
    select c.id, c.no, c.side, c.amount, c.payout, c.created_at as "openAt", c.settle_at as "settleAt", c.tolerance, c.state,
      c.type, c.profit, c.open_tick as "openTick", c.close_tick as "closeTick", c.open_price as "openPrice",
      c.close_price as "closePrice", c.by_account as "by",
      (select json_build_object('id', t.id, 'price', t.price::text, 'at', t.at) from tick t
        where t.market_id = c.market_id and t.at >= c.created_at order by t.at, t.id limit 1) as opening,
      (select json_build_object('id', t.id, 'price', t.price::text, 'at', t.at) from tick t
        where t.market_id = c.market_id and t.at >= c.settle_at order by t.at, t.id limit 1) as closing,
      (select coalesce(sum(e.amount), 0) from transfer f join leg l on l.transfer_id = f.id join entry e on e.leg_id = l.id
        where f.ref_type = 'second' and f.ref_id = c.id and e.user_id is not null) as gained,
      (select coalesce(sum(h.amount - h.released), 0) from hold h where h.ref_type = 'second' and h.ref_id = c.id) as held
    from second_contract c where c.state <> ${BINARY_CONTRACT.open} and c.id > ${after} order by c.id limit ${PAGE}`.execute(
    db,
  );
  return rows;
}

function findDiscrepancy(row: CheckedContract): string | undefined {
  if (row.held !== '0') return `still holds ${row.held}`;
  if (row.gained !== (row.profit ?? '0'))
    return `the ledger moved ${row.gained}, the contract has profit ${row.profit ?? '0'}`;
  if (row.by !== null)
    return row.state === BINARY_CONTRACT.voided && row.type === 0 ? undefined : 'voided by an operator, with a result';
  const { opening, closing } = row;
  const outcome = computeOutcome(row, opening ?? undefined, closing ?? undefined);
  const stored = [row.state, row.type, row.profit, row.openTick, row.closeTick].join(' ');
  const expected = [outcome.state, outcome.type, outcome.profit, outcome.openTick, outcome.closeTick].join(' ');
  if (stored !== expected) return `has "${stored}", the ticks give "${expected}"`;
  const pricesMatch =
    isSamePrice(row.openPrice, outcome.openTick === null ? null : opening?.price) &&
    isSamePrice(row.closePrice, outcome.closeTick === null ? null : closing?.price);
  return pricesMatch ? undefined : 'a price differs from its tick';
}

const isSamePrice = (stored: string | null, expected: string | null | undefined): boolean =>
  stored === null || expected === null || expected === undefined
    ? stored === (expected ?? null)
    : new Decimal(stored).eq(expected);
