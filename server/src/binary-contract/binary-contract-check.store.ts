import { BINARY_CONTRACT } from '@hengtai/contract/binary-contract';
import { Decimal } from '@hengtai/contract/decimal';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { type Tick, outcomeOf } from './binary-contract.rules.ts';

/** So many contracts are read at a time. */
const PAGE = 2_000;

interface Checked {
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
  /** The first ticks at or after its two moments, as the record has them. */
  opening: Tick | null;
  closing: Tick | null;
  /** What the ledger moved of the user's, from before the opening to after the end; what it still holds. */
  gained: string;
  held: string;
}

export interface BinaryContractDiscrepancy {
  id: number;
  no: string;
  what: string;
}

/**
 * Replays the tick record: computes every contract that has ended once more, by a rule of its own, and compares it with what
 * was written and with what the ledger did. Of those that an operator voided only the money is compared.
 *
 * @returns how many were looked at, and what differs
 */
export async function checkBinaryContracts(db: Db): Promise<{ checked: number; faults: BinaryContractDiscrepancy[] }> {
  const faults: BinaryContractDiscrepancy[] = [];
  let checked = 0;
  for (let after = 0; ;) {
    const rows = await pageAfter(db, after);
    for (const row of rows) {
      const what = faultOf(row);
      if (what !== undefined) faults.push({ id: row.id, no: row.no, what });
    }
    checked += rows.length;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return { checked, faults };
    after = last.id;
  }
}

async function pageAfter(db: Db, after: number): Promise<Checked[]> {
  const { rows } = await sql<Checked>`
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

function faultOf(row: Checked): string | undefined {
  if (row.held !== '0') return `still holds ${row.held}`;
  if (row.gained !== (row.profit ?? '0'))
    return `the ledger moved ${row.gained}, the contract has profit ${row.profit ?? '0'}`;
  if (row.by !== null)
    return row.state === BINARY_CONTRACT.voided && row.type === 0 ? undefined : 'voided by an operator, with a result';
  const { opening, closing } = row;
  const outcome = outcomeOf(row, opening ?? undefined, closing ?? undefined);
  const said = [row.state, row.type, row.profit, row.openTick, row.closeTick].join(' ');
  const due = [outcome.state, outcome.type, outcome.profit, outcome.openTick, outcome.closeTick].join(' ');
  if (said !== due) return `has "${said}", the ticks give "${due}"`;
  const agrees =
    isSame(row.openPrice, outcome.openTick === null ? null : opening?.price) &&
    isSame(row.closePrice, outcome.closeTick === null ? null : closing?.price);
  return agrees ? undefined : 'a price differs from its tick';
}

const isSame = (written: string | null, told: string | null | undefined): boolean =>
  written === null || told === null || told === undefined ? written === (told ?? null) : new Decimal(written).eq(told);
