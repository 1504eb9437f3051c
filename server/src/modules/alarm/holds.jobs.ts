import { Decimal } from '@hengtai/contract/decimal';
import { sql } from 'kysely';
import { raiseAlarm } from './alarm.store.ts';
import type { App } from '../../core/context.ts';
import type { Db } from '../../postgres/connect.ts';
import { type HoldDiscrepancy, findHoldDiscrepancies } from '../../ledger/hold-check.ts';
import { underLease } from '../../core/lease.store.ts';

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
    const { rows } = await sql`select 1 from job_lease where name = 'holds' and until > ${now}`.execute(db);
    if (rows.length > 0) return;
    await sql`set local statement_timeout = 0`.execute(db);
    const discrepancies = await findHoldDiscrepancies(db);
    const unreported = await excludeOpenAlarms(db, discrepancies);
    for (const discrepancy of unreported.slice(0, ALARMS_MAX)) await raiseAlarm(db, { ...toAlarm(discrepancy), now });
    if (unreported.length > 0)
      app.log.error({ discrepancies: unreported.length }, 'frozen balances differ from open records');
    await sql`update job_lease set until = ${now + HOUR_MS} where name = 'holds'`.execute(db);
  });
  return false;
}

/** Leaves out discrepancies that already have an open alarm. */
async function excludeOpenAlarms(db: Db, discrepancies: readonly HoldDiscrepancy[]): Promise<HoldDiscrepancy[]> {
  if (discrepancies.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select ref_type || ' ' || ref_id || ' ' || (detail ->> 'market') || ' ' || (detail ->> 'platform') as key
    from alarm where kind = 'holds.differ' and closed_at is null`.execute(db);
  const open = new Set(rows.map(({ key }) => key));
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
