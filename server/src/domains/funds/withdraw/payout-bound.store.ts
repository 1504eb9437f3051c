import { PAYING_MINUTES } from '@hengtai/contract/funds/withdraw/calls';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import type { Network } from '@hengtai/contract/trading/market/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';

/** Longest pause between two beats that counts, in milliseconds. After a longer one no server was running. */
const BEAT_GAP_MS = 15_000;

/** The intake clock now. The time since the last beat counts unless the servers may have stood still. Needs full scope. */
export const intakeTime = (now: number): RawBuilder<number> => sql<number>`
  (select counted_ms + case when ${now} - beat_at between 0 and ${BEAT_GAP_MS} then ${now} - beat_at else 0 end
    from intake_clock)`;

/** Moves the intake clock on and returns it, in milliseconds. The clocks of servers may differ a little. */
export async function beatIntakeClock(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ countedMs: number }>`${prepared}
    update intake_clock set counted_ms = ${intakeTime(now)},
      beat_at = case when beat_at - ${now} between 0 and ${BEAT_GAP_MS} then beat_at else ${now} end
    returning counted_ms as "countedMs"`.execute(db);
  return rows[0]?.countedMs ?? 0;
}

/** Lets the bound begin for payouts that were under way before the upgrade. */
export async function startBounds(db: Db, countedMs: number): Promise<void> {
  await sql`${prepared}update withdraw set paying_from = ${countedMs}
    where state = ${sql.lit(WITHDRAW.paying)} and paying_from is null`.execute(db);
}

/** A payout under way of which the wallet has said nothing for a while. */
export interface SilentPayout {
  id: number;
  network: string;
  /** Of the coin. */
  networks: Network[];
  payingFrom: number;
}

/** The payouts under way of which nothing was heard since `before` on the intake clock. */
export async function fetchSilent(db: Db, before: number): Promise<SilentPayout[]> {
  const { rows } = await sql<SilentPayout>`${prepared}
    select w.id, w.network, m.networks, w.paying_from as "payingFrom" from withdraw w join market m on m.id = w.market_id
    where w.state = ${sql.lit(WITHDRAW.paying)} and w.paying_from <= ${before} order by w.id`.execute(db);
  return rows;
}

/** Locks a payout, unless the wallet spoke of it meanwhile. */
export async function lockSilent(db: Db, { id, payingFrom }: SilentPayout): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select 1 from withdraw where id = ${id} and state = ${sql.lit(WITHDRAW.paying)} and paying_from = ${payingFrom}
    for no key update`.execute(db);
  return rows.length === 1;
}

/** Minutes of the setting; 0 for no bound. */
export async function findPayingMinutes(db: Db): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select num::float8 as minutes from config where key = ${PAYING_MINUTES}`.execute(db);
  return rows[0]?.minutes ?? 0;
}
