import { WITHDRAW, type WithdrawRisk } from '@hengtai/contract/withdraw';
import { ENTRY } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';
import { unnestRows } from '../db/bulk.ts';
import { type Db, prepared } from '../db/connect.ts';

const DAY_MS = 24 * 3_600_000;

/** States of withdrawals that count against the 24-hour limit. */
const limitStates = [
  WITHDRAW.review,
  WITHDRAW.second,
  WITHDRAW.queued,
  WITHDRAW.paying,
  WITHDRAW.paid,
  WITHDRAW.unknown,
];

/** A withdrawal and the state in which its risks are computed. */
export interface RiskSubject {
  id: number;
  /** Unix milliseconds, the end of the window of credential changes. */
  now: number;
  /** What waiting transfers will change on the user's fund account of the coin; a decimal string. */
  waiting: string;
}

const subjectTypes = { id: 'bigint', now: 'bigint', waiting: 'numeric' } as const;

/**
 * The risks of withdrawals, each as if those behind it in `subjects` did not exist. A coin without a price counts as over
 * the limit.
 */
const selectRisks = (subjects: readonly RiskSubject[]) => {
  const isEarlier = sql`(o.id <= w.id or o.id <> all(${subjects.map(({ id }) => id)}::bigint[]))`;
  const risks: Record<WithdrawRisk, RawBuilder<unknown>> = {
    first_address: sql`not exists (select from withdraw o where o.user_id = w.user_id and o.address = w.address
      and o.state = ${WITHDRAW.paid} and o.id <> w.id and ${isEarlier})`,
    shared_address: sql`exists (select from withdraw o where o.address = w.address and o.user_id <> w.user_id and ${isEarlier})`,
    over_limit: sql`coalesce((select sum(coalesce(o.valuation, value_of(o.market_id, o.amount))) from withdraw o
        where o.user_id = w.user_id and o.state = any(${limitStates}::int[]) and o.created_at > w.created_at - ${DAY_MS}
          and o.created_at <= w.created_at and ${isEarlier}), 0) > (select num from config where key = 'withdraw.limit24h')
      or coalesce(w.valuation, value_of(w.market_id, w.amount)) is null`,
    credential_changed: sql`exists (select from credential_change c where c.user_id = w.user_id and c.created_at <= s.now
      and c.created_at > s.now - (select num from config where key = 'withdraw.credentialHours') * 3600000)`,
    ledger_mismatch: sql`exists (select from account a where a.user_id = w.user_id and a.balance <>
      coalesce((select sum(e.amount) from entry e where e.account_id = a.id), 0))`,
    manual_balance: sql`manual.net > 0 and held.balance + s.waiting - manual.net < w.amount`,
  };
  const names = Object.entries(risks).map(([name, applies]) => sql`case when ${applies} then ${sql.lit(name)} end`);
  return sql<{ id: number; risk: WithdrawRisk[] }>`
    select w.id, array_remove(array[${sql.join(names)}], null) as risk
    from ${unnestRows('s', subjectTypes, subjects)}
    join withdraw w on w.id = s.id
    cross join lateral (
      select coalesce(sum(e.amount), 0) as net from entry e
      where e.user_id = w.user_id and e.market_id = w.market_id and e.type in (${ENTRY.manualAdd}, ${ENTRY.manualSub})
    ) manual
    cross join lateral (
      select coalesce(sum(a.balance), 0) as balance from account a
      where a.user_id = w.user_id and a.market_id = w.market_id and a.platform = 1
    ) held`;
};

/** The current risks of a withdrawal. */
export async function findRisks(db: Db, id: number, now: number): Promise<WithdrawRisk[]> {
  const { rows } = await sql<{ risk: WithdrawRisk[] }>`${prepared}${selectRisks([{ id, now, waiting: '0' }])}`.execute(
    db,
  );
  return rows[0]?.risk ?? [];
}

/** Stores the risks of new withdrawals. */
export async function assessRisks(db: Db, subjects: readonly RiskSubject[]): Promise<void> {
  if (subjects.length === 0) return;
  await sql`${prepared}
    update withdraw w set risk = r.risk from (${selectRisks(subjects)}) r where w.id = r.id`.execute(db);
}
