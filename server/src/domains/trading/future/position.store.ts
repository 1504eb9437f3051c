import { FUTURE } from '@hengtai/contract/trading/future/facts';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { type Db, prepared } from '../../../database/connect.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import type { EventBatch, NumberedRows, Writer } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';
import type { Position } from './future.rules.ts';

/** Reads and writes of positions by events of the platform. */

/** Locked, so that the events of a position run one after the other. */
export const positions: NumberedRows<Position> = {
  table: 'future_order',
  lock: async (db, numbers) => {
    const { rows } = await sql<Position>`${prepared}
      select o.id, o.no, o.user_id as "userId", o.agent_id as "agentId", o.market_id as "marketId", o.demo, o.side,
        o.leverage, o.price, o.amount, o.close_amount as "closeAmount", o.open_price as "openPrice", o.margin, o.held,
        o.unopened, o.pending_margin as "pendingMargin", o.parts, o.closing, o.state, (select s.id from market s where s.market_name = ${SETTLEMENT}) as "usdtId"
      from future_order o where o.no = any(${numbers}::text[]) for no key update`.execute(db);
    return rows;
  },
};

const positionTypes = {
  id: 'bigint',
  no: 'text',
  userId: 'bigint',
  agentId: 'bigint',
  marketId: 'bigint',
  demo: 'int',
  side: 'int',
  type: 'int',
  leverage: 'int',
  price: 'numeric',
  amount: 'numeric',
  margin: 'numeric',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type NewPosition = BulkRow<typeof positionTypes, 'price'>;

/** @throws Rejected if the number exists */
export const newPositions: Writer<NewPosition> = { tables: ['future_order'], write: insertPositions };

async function insertPositions(db: Db, rows: readonly NewPosition[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into future_order (id, no, user_id, agent_id, market_id, demo, side, type, leverage, price, amount, margin, held,
      state, created_at, recorded_at, updated_at) overriding system value
    select id, no, "userId", "agentId", "marketId", demo, side, type, leverage, price, amount, margin, margin, ${FUTURE.pending}::int, "createdAt", now, now
    from ${unnestRows('p', positionTypes, rows)} order by n
    on conflict (no) do nothing`.execute(db);
  if (numAffectedRows !== BigInt(rows.length)) throw reject('exists');
}

/** Changes of a position by an event: new values, and under `add` increments of its totals. */
export interface Change {
  state?: number;
  held?: string;
  amount?: string;
  unopened?: string;
  pendingMargin?: string;
  parts?: number;
  closing?: string | null;
  openPrice?: string;
  openedAt?: number;
  endedAt?: number;
  closeType?: number;
  /** undefined leaves the price, null removes it. */
  takeProfit?: string | null | undefined;
  stopLoss?: string | null | undefined;
  add?: Partial<Record<'margin' | 'closeAmount' | 'closeValue' | 'realized' | 'fee' | 'funding' | 'insured', string>>;
}

const changeTypes = {
  id: 'bigint',
  wasState: 'int',
  wasHeld: 'numeric',
  wasClosed: 'numeric',
  state: 'int',
  held: 'numeric',
  amount: 'numeric',
  unopened: 'numeric',
  pendingMargin: 'numeric',
  parts: 'int',
  closing: 'numeric',
  openPrice: 'numeric',
  openedAt: 'bigint',
  endedAt: 'bigint',
  closeType: 'int',
  setsTakeProfit: 'boolean',
  takeProfit: 'numeric',
  setsStopLoss: 'boolean',
  stopLoss: 'numeric',
  margin: 'numeric',
  closeAmount: 'numeric',
  closeValue: 'numeric',
  realized: 'numeric',
  fee: 'numeric',
  funding: 'numeric',
  insured: 'numeric',
  now: 'bigint',
} as const;
type ChangeToWrite = Partial<Record<keyof typeof changeTypes, unknown>>;

const changes: Writer<ChangeToWrite> = { tables: ['future_order'], write: writeChanges };

/**
 * Updates a position in one statement.
 *
 * @throws Rejected if state, held or closed amount changed since it was read
 */
export function changePosition(batch: EventBatch, position: Position, change: Change, now: number): Promise<void> {
  const { add = {}, ...sets } = change;
  return batch.insert(changes, {
    ...add,
    ...sets,
    id: position.id,
    wasState: position.state,
    wasHeld: position.held,
    wasClosed: position.closeAmount,
    state: change.state ?? position.state,
    held: change.held ?? position.held,
    closing: change.closing === undefined ? position.closing : change.closing,
    setsTakeProfit: change.takeProfit !== undefined,
    setsStopLoss: change.stopLoss !== undefined,
    now,
  });
}

async function writeChanges(db: Db, all: readonly ChangeToWrite[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    update future_order o set state = c.state, held = c.held, closing = c.closing,
      amount = coalesce(c.amount, o.amount), unopened = coalesce(c.unopened, o.unopened),
      pending_margin = coalesce(c."pendingMargin", o.pending_margin), parts = coalesce(c.parts, o.parts),
      open_price = coalesce(c."openPrice", o.open_price), opened_at = coalesce(c."openedAt", o.opened_at),
      ended_at = coalesce(c."endedAt", o.ended_at), close_type = coalesce(c."closeType", o.close_type),
      take_profit = case when c."setsTakeProfit" then c."takeProfit" else o.take_profit end,
      stop_loss = case when c."setsStopLoss" then c."stopLoss" else o.stop_loss end,
      margin = o.margin + coalesce(c.margin, 0), close_amount = o.close_amount + coalesce(c."closeAmount", 0),
      close_value = o.close_value + coalesce(c."closeValue", 0), realized = o.realized + coalesce(c.realized, 0),
      fee = o.fee + coalesce(c.fee, 0), funding = o.funding + coalesce(c.funding, 0),
      insured = o.insured + coalesce(c.insured, 0), updated_at = c.now
    from ${unnestRows('c', changeTypes, all as readonly Record<keyof typeof changeTypes, unknown>[])}
    where o.id = c.id and o.state = c."wasState" and o.held = c."wasHeld" and o.close_amount = c."wasClosed"`.execute(
    db,
  );
  if (numAffectedRows !== BigInt(all.length)) throw reject('state');
}

const openingTypes = {
  id: 'bigint',
  tradeNo: 'text',
  amount: 'numeric',
  price: 'numeric',
  margin: 'numeric',
  fee: 'numeric',
  at: 'bigint',
  now: 'bigint',
} as const;
type NewOpening = BulkRow<typeof openingTypes, 'tradeNo'>;

const openings: Writer<NewOpening> = { tables: ['future_open', 'future_order'], write: writeOpenings };

/** @throws Rejected if the trade number exists */
export const insertOpening = (batch: EventBatch, opening: NewOpening): Promise<void> => batch.insert(openings, opening);

async function writeOpenings(db: Db, all: readonly NewOpening[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into future_open (order_id, trade_no, user_id, agent_id, market_id, demo, amount, price, margin, fee, created_at,
      recorded_at)
    select o.id, n."tradeNo", o.user_id, o.agent_id, o.market_id, o.demo, n.amount, n.price, n.margin, n.fee, n.at, n.now
    from ${unnestRows('n', openingTypes, all)} join future_order o on o.id = n.id order by n.n
    on conflict (trade_no) do nothing`.execute(db);
  if (numAffectedRows !== BigInt(all.length)) throw reject('exists');
}

/** Records the opening of a position that was opened at once, before the position grows. */
export async function recordFirstOpening(db: Db, { id }: Position): Promise<void> {
  await sql`${prepared}
    insert into future_open (order_id, user_id, agent_id, market_id, demo, amount, price, margin, fee, created_at, recorded_at)
    select o.id, o.user_id, o.agent_id, o.market_id, o.demo, o.amount, o.open_price, o.margin,
      o.fee - coalesce((select sum(c.fee) from future_close c where c.order_id = o.id), 0), o.opened_at, o.recorded_at
    from future_order o where o.id = ${id}`.execute(db);
}

export async function isKnownOpening(db: Db, tradeNo: string): Promise<boolean> {
  const { rows } = await sql`select 1 from future_open where trade_no = ${tradeNo}`.execute(db);
  return rows.length > 0;
}

const closeTypes = {
  id: 'bigint',
  closeNo: 'text',
  amount: 'numeric',
  price: 'numeric',
  realized: 'numeric',
  released: 'numeric',
  fee: 'numeric',
  insured: 'numeric',
  closeType: 'int',
  at: 'bigint',
  now: 'bigint',
} as const;
type NewClose = BulkRow<typeof closeTypes>;

const closes: Writer<NewClose> = { tables: ['future_close', 'future_order'], write: writeCloses };

/** @throws Rejected if the number exists */
export const insertClose = (batch: EventBatch, { id }: Position, close: Omit<NewClose, 'id'>): Promise<void> =>
  batch.insert(closes, { ...close, id });

async function writeCloses(db: Db, all: readonly NewClose[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into future_close (order_id, close_no, user_id, agent_id, market_id, demo, side, leverage, amount, open_price, price,
      realized, released, fee, insured, close_type, created_at, recorded_at)
    select o.id, c."closeNo", o.user_id, o.agent_id, o.market_id, o.demo, o.side, o.leverage, c.amount, o.open_price, c.price,
      c.realized, c.released, c.fee, c.insured, c."closeType", c.at, c.now
    from ${unnestRows('c', closeTypes, all)} join future_order o on o.id = c.id order by c.n
    on conflict (close_no) do nothing`.execute(db);
  if (numAffectedRows !== BigInt(all.length)) throw reject('exists');
}

export interface NewFunding {
  no: string;
  amount: string;
  fromMargin: string;
  insured: string;
  at: number;
  now: number;
}

/** @throws Rejected if the number exists */
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
