import { SETTLEMENT } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import type { Db } from '../../../database/connect.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { fetchExpiryRisks, fetchMarketRisks } from './binary-contract-risk.store.ts';

const KIND = { expiry: 1, market: 2, stuck: 3 } as const;
/** Only this many expiry seconds are checked, those with the highest risk. */
const MAX_EXPIRIES = 500;
/** Alerts about an expiry second are deleted this long after it. */
const RETENTION_MS = 3_600_000;

interface Alert {
  kind: number;
  marketId: number;
  /** The expiry second in unix milliseconds; 0 for an alert about the whole market. */
  at: number;
  amount: string;
  detail: string;
}

/** Notifies operators with full scope once per exceeded threshold. Changes no contract. */
export async function raiseRiskAlerts(db: Db, now: number): Promise<void> {
  const allContracts = sql<boolean>`true`;
  const alerts: Alert[] = [];
  for (const { marketId, risk, alert, overdue } of await fetchMarketRisks(db, allContracts, now)) {
    if (alert)
      alerts.push({ kind: KIND.market, marketId, at: 0, amount: risk, detail: `市场合计 ${risk} ${SETTLEMENT}` });
    if (overdue > 0)
      alerts.push({ kind: KIND.stuck, marketId, at: 0, amount: String(overdue), detail: `${overdue} 笔到期未结` });
  }
  for (const { marketId, settleAt, risk, alert } of await fetchExpiryRisks(db, allContracts, MAX_EXPIRIES)) {
    if (alert)
      alerts.push({
        kind: KIND.expiry,
        marketId,
        at: settleAt,
        amount: risk,
        detail: `同秒到期 ${risk} ${SETTLEMENT}`,
      });
  }
  await deleteStaleAlerts(db, alerts, now);
  for (const alert of alerts) if (await insertAlert(db, alert, now)) await notify(db, alert, now);
}

/** Returns false if the alert exists. */
async function insertAlert(db: Db, { kind, marketId, at, amount }: Alert, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into second_alert (kind, market_id, at, amount, created_at) values (${kind}, ${marketId}, ${at}, ${amount}, ${now})
    on conflict (kind, market_id, at) do nothing`.execute(db);
  return numAffectedRows === 1n;
}

/** Deletes old expiry alerts, and market alerts that no longer hold, so that the market can raise a new one. */
async function deleteStaleAlerts(db: Db, alerts: readonly Alert[], now: number): Promise<void> {
  const active = alerts.filter(({ at }) => at === 0).map(({ kind, marketId }) => `${kind} ${marketId}`);
  await sql`delete from second_alert
    where (at > 0 and at < ${now - RETENTION_MS}) or (at = 0 and kind || ' ' || market_id <> all(${active}::text[]))`.execute(
    db,
  );
}

async function notify(db: Db, { kind, marketId, detail }: Alert, now: number): Promise<void> {
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
