import { Decimal } from '@hengtai/contract/values/decimal';
import { fetchOpenHoldAlarms, raiseAlarm } from './alarm.store.ts';
import type { App } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { type HoldDiscrepancy, findHoldDiscrepancies } from '../../../books/ledger/hold-check.ts';
import { disableStatementTimeout, isLeaseDue, setLeaseDue, underLease } from '../../../app/lease.store.ts';

const HOUR_MS = 3_600_000;
/** Maximum new alarms per hour, so that one error does not flood the alarm page; the rest follow in the next hour. */
const ALARMS_MAX = 50;

/**
 * Raises an alarm for every frozen balance that differs from what open records hold. Runs once an hour across all
 * processes: `until` in the lease row is the time of the next run.
 */
export async function watchHolds(app: App): Promise<boolean> {
  await underLease(app, 'holds', async (db) => {
    const now = app.clock.now();
    if (!(await isLeaseDue(db, 'holds', now))) return;
    await disableStatementTimeout(db);
    const discrepancies = await findHoldDiscrepancies(db);
    const unreported = await excludeOpenAlarms(db, discrepancies);
    for (const discrepancy of unreported.slice(0, ALARMS_MAX)) await raiseAlarm(db, { ...toAlarm(discrepancy), now });
    if (unreported.length > 0)
      app.log.error({ discrepancies: unreported.length }, 'frozen balances differ from open records');
    await setLeaseDue(db, 'holds', now + HOUR_MS);
  });
  return false;
}

/** Leaves out discrepancies that already have an open alarm. */
async function excludeOpenAlarms(db: Db, discrepancies: readonly HoldDiscrepancy[]): Promise<HoldDiscrepancy[]> {
  if (discrepancies.length === 0) return [];
  const open = await fetchOpenHoldAlarms(db);
  return discrepancies.filter((discrepancy) => {
    const { refType, refId, detail } = toAlarm(discrepancy);
    const key = `${refType} ${refId} ${detail.market} ${detail.platform}`;
    // A record that differs from both its account and its hold needs only one alarm.
    const isNew = !open.has(key);
    open.add(key);
    return isNew;
  });
}

/** The alarm refers to the record if one is known, else to the user. */
function toAlarm(discrepancy: HoldDiscrepancy) {
  const { refType, refId, no, userId, agentId, account, marketName, platform, frozen, owned, due, actual } =
    discrepancy;
  const isRecord = refType !== null && refId !== null && refType !== 'asset.frozen';
  return {
    kind: 'holds.differ' as const,
    refType: isRecord ? refType : 'user',
    refId: isRecord ? refId : userId,
    agentId,
    userId,
    detail: {
      account,
      market: marketName,
      platform,
      amount: new Decimal(actual).minus(due).toFixed(),
      frozen,
      held: owned,
      ...(no === null ? {} : { no }),
    },
  };
}
