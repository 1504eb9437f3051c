import { APPROVAL } from '@hengtai/contract/approval';
import { BINARY_CONTRACT, type BinaryContractState, binaryContractStates } from '@hengtai/contract/binary-contract';
import { closeApprovals, lockApprovals } from '../approval/approval.store.ts';
import type { App } from '../context.ts';
import { type Db, inTransaction, retried } from '../db/connect.ts';
import { underLease } from '../jobs/job.ts';
import { postMany } from '../ledger/post-many.ts';
import { raiseRiskAlerts } from './binary-contract-alert.store.ts';
import {
  type Ended,
  findMoot,
  recordOpeningTicks,
  releaseStakes,
  settleNow,
  takeDue,
  takeOpening,
  notifyPlatform,
  notifyVoided,
} from './binary-contract-settle.store.ts';
import { refundLegs, settleLegs } from './binary-contract.rules.ts';

/** So many end in one transaction: enough for thousands a second, and few enough that nobody waits long for an account. */
export const SETTLE_BATCH = 500;
/** One whose money cannot be posted is looked at again after so long, and stops nobody else meanwhile. */
const AGAIN_MS = 60_000;

/** Contracts of a process that could not be settled, with when they may be tried again; unix milliseconds. */
const failed = new WeakMap<App, Map<number, number>>();

/**
 * Ends every contract whose end the tick record says. All of it is one transaction for each batch: the result, the money,
 * what the platform is told. A process that dies in between has done nothing, and any number of them may do this at once.
 */
export async function settleBinaryContracts(app: App, stopping?: AbortSignal): Promise<boolean> {
  const now = app.clock.now();
  const opened = await retried(() =>
    inTransaction(app.system, async (db) => recordOpeningTicks(db, await takeOpening(db, SETTLE_BATCH), now)),
  );
  const not = restingOf(app, now);
  let taken: readonly number[] = [];
  try {
    const ended = await retried(() =>
      inTransaction(app.system, async (db) => {
        taken = await takeDue(db, SETTLE_BATCH, not);
        return end(db, taken, now);
      }),
    );
    await closeMoot(app, now);
    return ended === SETTLE_BATCH || opened === SETTLE_BATCH;
  } catch (error) {
    if (taken.length === 0) throw error;
    await settleEach(app, taken, now, stopping);
    return true;
  }
}

/** One by one, so that the one which cannot be settled is found, and the others are. */
async function settleEach(app: App, ids: readonly number[], now: number, stopping?: AbortSignal): Promise<void> {
  for (const id of ids) {
    if (stopping?.aborted) return;
    try {
      await retried(() => inTransaction(app.system, (db) => end(db, [id], now)));
    } catch (error) {
      app.log.error({ err: error, contract: id }, 'second contract could not be settled');
      const resting = failed.get(app) ?? new Map<number, number>();
      failed.set(app, resting.set(id, now + AGAIN_MS));
    }
  }
}

function restingOf(app: App, now: number): number[] {
  const resting = failed.get(app);
  for (const [id, until] of resting ?? []) if (until <= now) resting?.delete(id);
  return [...(resting?.keys() ?? [])];
}

async function end(db: Db, ids: readonly number[], now: number): Promise<number> {
  const ended = await settleNow(db, ids, now);
  if (ended.length === 0) return 0;
  const held = await releaseStakes(
    db,
    ended.map(({ id }) => id),
  );
  if (!held) throw new Error('The hold of a settled second contract is missing.');
  const transfers = ended.map((one) => ({
    head: { refType: 'second', refId: one.id, at: one.settledAt },
    legs: legsOf(one),
  }));
  await postMany(db, now, transfers);
  await notifyPlatform(db, ended, now);
  await notifyVoided(db, ended, now);
  return ended.length;
}

const legsOf = (one: Ended) => (one.state === BINARY_CONTRACT.settled ? settleLegs(one, one.type) : refundLegs(one));

/** A request to void what has ended is nobody's to decide any more. Approvals come first, as wherever one is decided. */
async function closeMoot(app: App, now: number): Promise<void> {
  for (const { id, state } of await findMoot(app.system)) {
    const target = { type: 'second', id };
    await inTransaction(app.system, async (db) => {
      await lockApprovals(db, target);
      const answer = binaryContractStates[state as BinaryContractState];
      await closeApprovals(db, target, { state: APPROVAL.expired, answer, now });
    });
  }
}

/** Tells operators of what may have to be paid beyond the thresholds, and of contracts that wait for a tick. */
export async function watchBinaryContracts(app: App): Promise<boolean> {
  await underLease(app, 'second-watch', (db) => raiseRiskAlerts(db, app.clock.now()));
  return false;
}
