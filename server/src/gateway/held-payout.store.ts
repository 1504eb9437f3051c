import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { AUTO_STOP_HOLDS } from '@hengtai/contract/risk/auto-payout/facts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../database/connect.ts';

/** Whether stops of automatic payouts also hold the commands of payouts. PostgreSQL evaluates it once for each statement. */
const isOn = sql`(select state from config where key = ${sql.lit(AUTO_STOP_HOLDS)}) = 1`;

/** The coin of the payout command is stopped on the platform of its user, by a person or by an open cause. */
const isStopped = (command: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from withdraw hw join users hu on hu.id = hw.user_id
  where hw.id = ${sql.ref(`${command}.ref_id`)} and (
    exists (select from auto_coin hc where hc.market_id = hw.market_id and hc.stopped_at is not null)
    or exists (select from auto_stop_cause hs left join withdraw cw on cw.id = hs.withdraw_id left join users cu on cu.id = cw.user_id
      where hs.market_id = hw.market_id and hs.handled_at is null
        and coalesce(hs.platform_id, cu.platform_id) = hu.platform_id)))`;

/** The command is a payout that is not handed over while automatic payouts of its coin are stopped. */
export const isHeldBack = (command: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${command}.type`)} = 'withdraw.payout' and ${isOn} and ${isStopped(command)})`;

/** A waiting payout `c` that has a number, though it is held back. Not while a program has it by a lease. */
const isNumberedHeld = (now: number): RawBuilder<boolean> => sql<boolean>`
  ${isOn} and c.type = 'withdraw.payout' and c.state = ${sql.lit(COMMAND.waiting)} and c.seq is not null
  and (c.lease_until is null or c.lease_until <= ${now}) and ${isStopped('c')}`;

export async function hasNumberedHeld(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`${prepared}select 1 from command c where ${isNumberedHeld(now)} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Takes the numbers of payouts that are held back, so that they get later ones when they go on: a reader that continues from
 * its last number would miss them otherwise. The caller has locked the numbers.
 */
export async function takeNumbersOfHeld(db: Db, now: number): Promise<void> {
  await sql`${prepared}update command c set seq = null, attempt = c.attempt - 1 where ${isNumberedHeld(now)}`.execute(
    db,
  );
}
