import { FUTURE } from '@hengtai/contract/future';
import { SETTLEMENT } from '@hengtai/contract/money';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '../db/connect.ts';
import { rowsAhead } from '../gateway/ahead.store.ts';
import { readOnce } from '../gateway/lookup.store.ts';
import { reject } from '../gateway/rejected.ts';
import type { Position } from './future.rules.ts';

/** What the platform's events read and write of positions. */

const ahead = rowsAhead<Position>();

const eventPositions = (which: RawBuilder<unknown>) => sql<Position>`${prepared}
  select o.id, o.no, o.user_id as "userId", o.agent_id as "agentId", o.market_id as "marketId", o.demo, o.side, o.leverage,
    o.price, o.amount, o.close_amount as "closeAmount", o.open_price as "openPrice", o.margin, o.held, o.closing, o.state,
    (select s.id from market s where s.market_name = ${SETTLEMENT}) as "usdtId"
  from future_order o where ${which} for no key update`;

/** Locked until the transaction ends, so that what happens to one position comes one after the other. */
export async function takePosition(db: Db, no: string): Promise<Position | undefined> {
  const found = ahead.take(db, no);
  if (found) return found.row;
  return (await eventPositions(sql`o.no = ${no}`).execute(db)).rows[0];
}

export async function readPositionsAhead(db: Db, numbers: readonly string[]): Promise<void> {
  const { rows } = await eventPositions(sql`o.no = any(${numbers}::text[])`).execute(db);
  ahead.keep(db, numbers, rows);
}

export interface FutureMarket {
  id: number;
  usdtId: number;
  future: number;
  state: number;
  /** By price protection, for futures. */
  halted: boolean;
  maxLeverage: number;
  pricePrecision: number;
  amountPrecision: number;
  minAmount: string;
  maxAmount: string;
}

/** @throws Rejected for a market that nobody knows */
export async function findFutureMarket(db: Db, name: string): Promise<FutureMarket> {
  const market = await readOnce(db, `future ${name}`, async () => {
    const { rows } = await sql<FutureMarket>`${prepared}
      select m.id, (select s.id from market s where s.market_name = ${SETTLEMENT}) as "usdtId", m.future, m.state,
        m.future_halted_at is not null as halted, m.max_leverage as "maxLeverage", m.price_precision as "pricePrecision",
        m.amount_precision as "amountPrecision", m.min_amount as "minAmount", m.max_amount as "maxAmount"
      from market m where m.market_name = ${name}`.execute(db);
    return rows[0];
  });
  if (!market) throw reject('unknown', 'market');
  return market;
}

export interface NewPosition {
  no: string;
  userId: number;
  agentId: number;
  marketId: number;
  demo: number;
  side: number;
  type: number;
  leverage: number;
  price: string | null;
  amount: string;
  margin: string;
  createdAt: number;
  now: number;
}

/** undefined when the number is known already. */
export async function insertPosition(db: Db, row: NewPosition): Promise<number | undefined> {
  ahead.forget(db, row.no);
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into future_order (no, user_id, agent_id, market_id, demo, side, type, leverage, price, amount, margin, held, state,
      created_at, recorded_at, updated_at)
    values (${row.no}, ${row.userId}, ${row.agentId}, ${row.marketId}, ${row.demo}, ${row.side}, ${row.type}, ${row.leverage},
      ${row.price}::numeric, ${row.amount}::numeric, ${row.margin}::numeric, ${row.margin}::numeric, ${FUTURE.pending},
      ${row.createdAt}, ${row.now}, ${row.now})
    on conflict (no) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** How a position stands after an event: what it is set to, and what is added to its sums. */
export interface Change {
  state?: number;
  held?: string;
  closing?: string | null;
  openPrice?: string;
  openedAt?: number;
  endedAt?: number;
  closeType?: number;
  /** Undefined leaves it, null takes it away. */
  takeProfit?: string | null | undefined;
  stopLoss?: string | null | undefined;
  add?: Partial<Record<'margin' | 'closeAmount' | 'closeValue' | 'realized' | 'fee' | 'funding' | 'insured', string>>;
}

/**
 * One write, and only while the position stands as it was read.
 *
 * @throws Rejected where it does not
 */
export async function changePosition(db: Db, position: Position, change: Change, now: number): Promise<void> {
  const { add = {} } = change;
  const plus = (name: keyof typeof add) => sql`${add[name] ?? '0'}::numeric`;
  const price = (value: string | null | undefined, column: string) =>
    sql`case when ${value !== undefined}::boolean then ${value ?? null}::numeric else ${sql.ref(column)} end`;
  const { numAffectedRows } = await sql`${prepared}
    update future_order set state = ${change.state ?? position.state}, held = ${change.held ?? position.held}::numeric,
      closing = ${change.closing === undefined ? position.closing : change.closing}::numeric,
      open_price = coalesce(${change.openPrice ?? null}::numeric, open_price),
      opened_at = coalesce(${change.openedAt ?? null}::bigint, opened_at),
      ended_at = coalesce(${change.endedAt ?? null}::bigint, ended_at),
      close_type = coalesce(${change.closeType ?? null}::smallint, close_type),
      take_profit = ${price(change.takeProfit, 'take_profit')}, stop_loss = ${price(change.stopLoss, 'stop_loss')},
      margin = margin + ${plus('margin')}, close_amount = close_amount + ${plus('closeAmount')},
      close_value = close_value + ${plus('closeValue')}, realized = realized + ${plus('realized')},
      fee = fee + ${plus('fee')}, funding = funding + ${plus('funding')}, insured = insured + ${plus('insured')},
      updated_at = ${now}
    where id = ${position.id} and state = ${position.state} and held = ${position.held}::numeric
      and close_amount = ${position.closeAmount}::numeric`.execute(db);
  if (numAffectedRows !== 1n) throw reject('state');
}

export interface NewClose {
  closeNo: string;
  amount: string;
  price: string;
  realized: string;
  released: string;
  fee: string;
  insured: string;
  closeType: number;
  at: number;
  now: number;
}

/** @throws Rejected when the number is known already */
export async function insertClose(db: Db, { id }: Position, close: NewClose): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into future_close (order_id, close_no, user_id, agent_id, market_id, demo, side, leverage, amount, open_price, price,
      realized, released, fee, insured, close_type, created_at, recorded_at)
    select o.id, ${close.closeNo}::text, o.user_id, o.agent_id, o.market_id, o.demo, o.side, o.leverage,
      ${close.amount}::numeric, o.open_price, ${close.price}::numeric, ${close.realized}::numeric,
      ${close.released}::numeric, ${close.fee}::numeric, ${close.insured}::numeric, ${close.closeType}::smallint,
      ${close.at}::bigint, ${close.now}::bigint
    from future_order o where o.id = ${id} on conflict (close_no) do nothing`.execute(db);
  if (numAffectedRows !== 1n) throw reject('exists');
}

export interface NewFunding {
  no: string;
  amount: string;
  fromMargin: string;
  insured: string;
  at: number;
  now: number;
}

/** @throws Rejected when the number is known already */
export async function insertFunding(db: Db, { id }: Position, funding: NewFunding): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into future_funding (order_id, no, user_id, agent_id, market_id, demo, amount, from_margin, insured, created_at,
      recorded_at)
    select o.id, ${funding.no}::text, o.user_id, o.agent_id, o.market_id, o.demo, ${funding.amount}::numeric,
      ${funding.fromMargin}::numeric, ${funding.insured}::numeric, ${funding.at}::bigint, ${funding.now}::bigint
    from future_order o where o.id = ${id} on conflict (no) do nothing`.execute(db);
  if (numAffectedRows !== 1n) throw reject('exists');
}

export async function isKnownClose(db: Db, closeNo: string): Promise<boolean> {
  const { rows } = await sql`select 1 from future_close where close_no = ${closeNo}`.execute(db);
  return rows.length > 0;
}

export async function isKnownFunding(db: Db, no: string): Promise<boolean> {
  const { rows } = await sql`select 1 from future_funding where no = ${no}`.execute(db);
  return rows.length > 0;
}

/** A cancel or close that came to nothing: back to where it was, unless a later command is on its way. */
export async function returnPosition(
  db: Db,
  id: number,
  commandId: number,
  now: number,
): Promise<{ userId: number; agentId: number } | undefined> {
  const { rows } = await sql<{ userId: number; agentId: number }>`
    update future_order o set state = case when o.state = ${FUTURE.cancelling} then ${FUTURE.pending} else ${FUTURE.open} end::smallint,
      closing = null, updated_at = ${now}
    where o.id = ${id} and o.state in (${FUTURE.cancelling}, ${FUTURE.closing}) and not exists (
      select from command c where c.ref_type = 'future' and c.ref_id = o.id and c.id > ${commandId})
    returning o.user_id as "userId", o.agent_id as "agentId"`.execute(db);
  return rows[0];
}

/** What became of the commands about a position was told by the position itself. */
export async function settleCommands(db: Db, id: number, state: number, reason: string, now: number): Promise<void> {
  await sql`
    update command set state = ${state}, reason = ${reason}, done_at = ${now}
    where ref_type = 'future' and ref_id = ${id} and state in (0, 1, 4)`.execute(db);
}
