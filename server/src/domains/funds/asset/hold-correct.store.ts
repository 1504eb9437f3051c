import { randomUUID } from 'node:crypto';
import { CODE } from '@hengtai/contract/wire/envelope';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { Platform } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { recordAudit } from '../../../actions/audit.store.ts';
import { type Db, inTransaction } from '../../../database/connect.ts';
import { enqueueBalanceChanges } from '../../../gateway/balance-command.store.ts';
import type { HoldDiscrepancy } from '../../../books/ledger/hold-check.ts';
import { type HoldOwner, freezeLegs, unfreezeLeg } from '../../../books/ledger/hold.ts';
import { AccountClosed, InsufficientBalance, post } from '../../../books/ledger/post.ts';

/**
 * Smaller differences are rounding errors: with 20 significant digits the error is at most 0.005 for the largest amount of
 * the ledger. Larger differences must be examined by a person.
 */
const DUST_LIMIT = '0.01';

/** Result for one discrepancy: the amount moved, or the reason why it was not. */
export interface Correction {
  discrepancy: HoldDiscrepancy;
  /** Decimal string moved from frozen to active; negative if active money was frozen again. */
  released: string | null;
  problem: string | null;
}

/** Whether the discrepancy is a rounding error of an ended record, which should hold nothing. */
const isDust = ({ kind, refType, due, actual }: HoldDiscrepancy): boolean =>
  kind === 'account' &&
  refType !== null &&
  refType !== 'asset.frozen' &&
  new Decimal(due).isZero() &&
  new Decimal(actual).abs().lt(DUST_LIMIT);

/**
 * Corrects rounding errors of ended records: moves money that was left frozen to the user's active balance, or freezes
 * again what was released too much. Each correction is one transaction with a transfer under the record's reference, an
 * audit row and a command to the platform.
 */
export async function correctDust(
  db: Db,
  discrepancies: readonly HoldDiscrepancy[],
  now: number,
): Promise<Correction[]> {
  const corrections: Correction[] = [];
  for (const discrepancy of discrepancies.filter(isDust)) {
    try {
      const released = await inTransaction(db, (tx) => correctOne(tx, discrepancy, now));
      corrections.push({ discrepancy, released, problem: null });
    } catch (error) {
      if (!(error instanceof InsufficientBalance || error instanceof AccountClosed)) throw error;
      const problem = error instanceof AccountClosed ? 'the user is deleted' : 'the active balance is too small';
      corrections.push({ discrepancy, released: null, problem });
    }
  }
  return corrections;
}

async function correctOne(db: Db, discrepancy: HoldDiscrepancy, now: number): Promise<string> {
  const { refType, refId, userId, agentId, marketId, marketName, platform, account } = discrepancy;
  // Serializes concurrent runs, which must not correct the same record twice.
  await sql`select 1 from users where id = ${userId} for no key update`.execute(db);
  const amount = await fetchFrozen(db, discrepancy);
  if (refType === null || refId === null || new Decimal(amount).isZero()) return '0';
  const owner: HoldOwner = { user: { id: userId, agentId }, marketId, platform };
  const size = new Decimal(amount).abs().toFixed();
  const legs = new Decimal(amount).gt(0) ? [unfreezeLeg(owner, size)] : freezeLegs(owner, size);
  const entries = await post(db, { refType, refId, at: now, now, remark: '更正无主冻结' }, legs);
  await enqueueBalanceChanges(db, entries, now);
  const who = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
  await recordAudit(db, who, {
    action: 'holds.correct',
    targetType: 'user',
    targetId: userId,
    userId,
    account,
    agentId,
    after: { marketName, platform, amount, refType, refId },
    result: CODE.ok,
  });
  return amount;
}

/** Fetches the amount that is still frozen under the record's reference. */
async function fetchFrozen(
  db: Db,
  {
    userId,
    marketId,
    platform,
    refType,
    refId,
  }: Pick<HoldDiscrepancy, 'userId' | 'marketId' | 'refType' | 'refId'> & {
    platform: Platform;
  },
): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    select coalesce(sum(e.amount), 0) as amount
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id
    join account a on a.id = e.account_id
    where t.ref_type = ${refType} and t.ref_id = ${refId} and a.user_id = ${userId} and a.market_id = ${marketId}
      and a.platform = ${platform} and a.bucket = 'frozen'`.execute(db);
  return rows[0]?.amount ?? '0';
}
