import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import { type BinaryContractState } from '@hengtai/contract/trading/binary-contract/calls';
import { binaryContractStates, BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import type { App } from '../../../app/context.ts';
import { type Db, inTransaction, withRetries } from '../../../database/connect.ts';
import { underLease } from '../../../app/lease.store.ts';
import { postMany } from '../../../books/ledger/post.ts';
import { raiseRiskAlerts } from './binary-contract-alert.store.ts';
import {
  type EndedContract,
  findObsoleteRequests,
  recordOpeningTicks,
  releaseStakes,
  settleContracts,
  lockDue,
  lockUnopened,
  notifyPlatform,
  notifyVoided,
} from './binary-contract-settle.store.ts';
import { refundLegs, settleLegs } from './binary-contract.rules.ts';

/** Contracts per transaction: enough for thousands per second, and few enough to keep account locks short. */
const SETTLE_BATCH = 500;
/** A contract that cannot be settled is skipped for this long, so that it does not block the others. */
const RETRY_MS = 60_000;

/** Contracts that failed to settle, with the time of the next try in unix milliseconds. */
const retryAt = new WeakMap<App, Map<number, number>>();

/**
 * Settles one batch of due contracts. Result, ledger and commands are written in one transaction, so a crash leaves nothing
 * half done. Several processes may run it concurrently.
 *
 * @returns whether there may be more
 */
export async function settleBinaryContracts(app: App, stopSignal?: AbortSignal): Promise<boolean> {
  const now = app.clock.now();
  const opened = await withRetries(() =>
    inTransaction(app.system, async (db) => recordOpeningTicks(db, await lockUnopened(db, SETTLE_BATCH), now)),
  );
  const excludedIds = failedIds(app, now);
  let dueIds: readonly number[] = [];
  try {
    const ended = await withRetries(() =>
      inTransaction(app.system, async (db) => {
        dueIds = await lockDue(db, SETTLE_BATCH, excludedIds);
        return settleBatch(db, dueIds, now);
      }),
    );
    await expireObsoleteRequests(app);
    // Contracts without an opening price are looked for once no contract is due.
    return ended > 0 || opened === SETTLE_BATCH;
  } catch (error) {
    if (dueIds.length === 0) throw error;
    await settleEach(app, dueIds, now, stopSignal);
    return true;
  }
}

/** Settles one by one after a batch failed, so that one bad contract does not block the others. */
async function settleEach(app: App, ids: readonly number[], now: number, stopSignal?: AbortSignal): Promise<void> {
  for (const id of ids) {
    if (stopSignal?.aborted) return;
    try {
      await withRetries(() => inTransaction(app.system, (db) => settleBatch(db, [id], now)));
    } catch (error) {
      app.log.error({ err: error, contract: id }, 'binary contract could not be settled');
      const retries = retryAt.get(app) ?? new Map<number, number>();
      retryAt.set(app, retries.set(id, now + RETRY_MS));
    }
  }
}

/** Contracts whose next try is still ahead; forgets the others. */
function failedIds(app: App, now: number): number[] {
  const retries = retryAt.get(app);
  for (const [id, at] of retries ?? []) if (at <= now) retries?.delete(id);
  return [...(retries?.keys() ?? [])];
}

async function settleBatch(db: Db, ids: readonly number[], now: number): Promise<number> {
  const ended = await settleContracts(db, ids, now);
  if (ended.length === 0) return 0;
  const allReleased = await releaseStakes(
    db,
    ended.map(({ id }) => id),
  );
  if (!allReleased) throw new Error('The hold of a settled binary contract is missing. Run `npm run holds:check`.');
  const transfers = ended.map((one) => ({
    head: { refType: 'second', refId: one.id, at: one.settledAt },
    legs: legsOf(one),
  }));
  await postMany(db, { now, transfers });
  await notifyPlatform(db, ended, now);
  await notifyVoided(db, ended, now);
  return ended.length;
}

const legsOf = (one: EndedContract) =>
  one.state === BINARY_CONTRACT.settled ? settleLegs(one, one.type) : refundLegs(one);

/** Expires open approvals to void contracts that have ended. Approvals are locked first, as in every action. */
async function expireObsoleteRequests(app: App): Promise<void> {
  for (const { id, state, endedAt } of await findObsoleteRequests(app.system)) {
    const target = { type: 'second', id };
    await inTransaction(app.system, async (db) => {
      await lockApprovals(db, target);
      const answer = binaryContractStates[state as BinaryContractState];
      await closeApprovals(db, target, { state: APPROVAL.expired, answer, now: endedAt });
    });
  }
}

/** Notifies operators of risks beyond the thresholds and of contracts that still wait for a tick. */
export async function watchBinaryContracts(app: App): Promise<boolean> {
  await underLease(app, 'second-watch', (db) => raiseRiskAlerts(db, app.clock.now()));
  return false;
}
