import { SETTLEMENT } from '@hengtai/contract/money';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { recordNotification } from '../notify/notification.store.ts';
import { expiriesOf, marketsOf } from './binary-contract-risk.store.ts';

const KIND = { expiry: 1, market: 2, stuck: 3 } as const;
/** Expiry seconds that are looked at: those with the most at risk. */
const LOOKED_AT = 500;
/** An expiry second is forgotten so long after it; a market that fell below its threshold raises a new alert. */
const FORGET_MS = 3_600_000;

interface Alert {
  kind: number;
  marketId: number;
  /** The expiry second; 0 where it is about the market. */
  at: number;
  amount: string;
  detail: string;
}

/** Notifies operators with full scope of what is beyond its threshold, each once; no contract is changed. */
export async function raiseRiskAlerts(db: Db, now: number): Promise<void> {
  const everything = sql<boolean>`true`;
  const alerts: Alert[] = [];
  for (const { marketId, risk, alert, overdue } of await marketsOf(db, everything, now)) {
    if (alert)
      alerts.push({ kind: KIND.market, marketId, at: 0, amount: risk, detail: `市场合计 ${risk} ${SETTLEMENT}` });
    if (overdue > 0)
      alerts.push({ kind: KIND.stuck, marketId, at: 0, amount: String(overdue), detail: `${overdue} 笔到期未结` });
  }
  for (const { marketId, settleAt, risk, alert } of await expiriesOf(db, everything, LOOKED_AT)) {
    if (alert)
      alerts.push({
        kind: KIND.expiry,
        marketId,
        at: settleAt,
        amount: risk,
        detail: `同秒到期 ${risk} ${SETTLEMENT}`,
      });
  }
  await forget(db, alerts, now);
  for (const one of alerts) if (await isNew(db, one, now)) await notificationOf(db, one, now);
}

async function isNew(db: Db, { kind, marketId, at, amount }: Alert, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into second_alert (kind, market_id, at, amount, created_at) values (${kind}, ${marketId}, ${at}, ${amount}, ${now})
    on conflict (kind, market_id, at) do nothing`.execute(db);
  return numAffectedRows === 1n;
}

async function forget(db: Db, alerts: readonly Alert[], now: number): Promise<void> {
  const standing = alerts.filter(({ at }) => at === 0).map(({ kind, marketId }) => `${kind} ${marketId}`);
  await sql`delete from second_alert
    where (at > 0 and at < ${now - FORGET_MS}) or (at = 0 and kind || ' ' || market_id <> all(${standing}::text[]))`.execute(
    db,
  );
}

async function notificationOf(db: Db, { kind, marketId, detail }: Alert, now: number): Promise<void> {
  const type = kind === KIND.stuck ? 'second.stuck' : 'second.risk';
  await recordNotification(db, {
    type,
    refType: 'second',
    refId: marketId,
    marketId,
    agentId: null,
    detail,
    at: now,
    now,
  });
}
