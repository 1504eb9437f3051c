import { Decimal } from '@hengtai/contract/decimal';
import { sql } from 'kysely';
import { raiseAlarm } from '../alarm/alarm.store.ts';
import type { App } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { type HoldDiscrepancy, findHoldDiscrepancies } from '../ledger/hold-check.ts';
import { underLease } from './job.ts';

const HOUR_MS = 3_600_000;
/** The rest follows an hour later; more at once would only bury the first. */
const ALARMS_MAX = 50;

/** Once an hour, over all processes: an alarm for every frozen balance that differs from what open records hold. */
export async function watchHolds(app: App): Promise<boolean> {
  await underLease(app, 'holds', async (db) => {
    const now = app.clock.now();
    const { rows } = await sql`select 1 from job_lease where name = 'holds' and until > ${now}`.execute(db);
    if (rows.length > 0) return;
    await sql`set local statement_timeout = 0`.execute(db);
    const faults = await findHoldDiscrepancies(db);
    const fresh = await withoutOpenAlarm(db, faults);
    for (const fault of fresh.slice(0, ALARMS_MAX)) await raiseAlarm(db, { ...alarmOf(fault), now });
    if (fresh.length > 0) app.log.error({ faults: fresh.length }, 'frozen balances differ from open records');
    await sql`update job_lease set until = ${now + HOUR_MS} where name = 'holds'`.execute(db);
  });
  return false;
}

/** An alarm that is still open says it already. */
async function withoutOpenAlarm(db: Db, faults: readonly HoldDiscrepancy[]): Promise<HoldDiscrepancy[]> {
  if (faults.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    select ref_type || ' ' || ref_id || ' ' || (detail ->> 'market') || ' ' || (detail ->> 'platform') as key
    from alarm where kind = 'holds.differ' and closed_at is null`.execute(db);
  const open = new Set(rows.map(({ key }) => key));
  return faults.filter((fault) => {
    const { refType, refId, detail } = alarmOf(fault);
    const key = `${refType} ${refId} ${detail.market} ${detail.platform}`;
    // A record can differ both from its account and from its hold: one alarm is enough.
    const isNew = !open.has(key);
    open.add(key);
    return isNew;
  });
}

/** About the record where one is known, else about the user. */
function alarmOf(fault: HoldDiscrepancy) {
  const { refType, refId, no, userId, agentId, account, marketName, platform, frozen, owned, due, actual } = fault;
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
