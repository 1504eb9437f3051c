import { literals } from '../../../database/literals.ts';
import { openFollowStates } from '@hengtai/contract/trading/follow/facts';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { signal as calls } from '@hengtai/contract/trading/signal/calls';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { PlatformSignal } from '@hengtai/contract/gateway/commands.schema';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope, namedInScope } from '../../../database/scope.ts';
import { inMarkets } from '../../../gateway/lookup.store.ts';
import type { PlatformScope } from '../../../gateway/platform-scope.ts';
import { reject } from '../../../gateway/rejected.ts';
import type { SignalMarket, Terms } from './signal.rules.ts';

/**
 * Every operator sees a signal, but its totals count only follows within the scope. They are computed from the follows, so
 * concurrent events cannot leave wrong counters.
 */
function fieldsFor({ scope }: Pick<Ctx, 'scope'>): RawBuilder<unknown> {
  const ofFollows = (aggregate: RawBuilder<unknown>, condition: RawBuilder<unknown> = sql``) =>
    sql`(select ${aggregate} from follow x where x.signal_id = s.id and ${inScope(scope, 'x.agent_id')}${condition})`;
  return sql`s.id, s.no, s.title, s.market_id as "marketId", m.market_name as "marketName", s.side, s.leverage, s.price,
    s.take_profit as "takeProfit", s.stop_loss as "stopLoss", s.ratio, s.min_amount as "minAmount",
    s.max_amount as "maxAmount", s.start_at as "startAt", s.end_at as "endAt",
    ${ofFollows(sql`count(*)::int`, sql` and x.state in (${literals(...openFollowStates)})`)} as "openCount",
    ${ofFollows(sql`coalesce(sum(x.amount), 0)`, sql` and x.state in (${literals(...openFollowStates)})`)} as "openAmount",
    ${ofFollows(sql`count(*)::int`)} as "followCount",
    ${ofFollows(sql`coalesce(sum(x.amount), 0)`)} as "followAmount",
    ${ofFollows(sql`coalesce(sum(x.profit), 0)`)} as profit,
    s.state, ${namedInScope(scope, 's.by_account')} as "by", s.version, m.price_precision as "pricePrecision",
    s.created_at as "createdAt", s.updated_at as "updatedAt"`;
}

const from = sql`signal s left join market m on m.id = s.market_id`;

export const listSignals = defineList(calls.list, (ctx): ListSource => ({
  fields: fieldsFor(ctx),
  from,
  id: 's.id',
  createdAt: 's.created_at',
  filters: { title: 's.title_key', marketId: 's.market_id', side: 's.side', state: 's.state', id: 's.id' },
  sort: { startAt: 's.start_at', endAt: 's.end_at' },
  where: isVisible(ctx),
}));

/** Signals that were never published are visible only to operators who may publish them. */
const isVisible = ({ operator }: Pick<Ctx, 'operator'>): RawBuilder<boolean> =>
  can(operator, ABILITY.markets) ? sql<boolean>`true` : sql<boolean>`s.published = 1`;

/** @param forChecker finds drafts too */
export async function findSignal(ctx: Ctx, id: number, forChecker = false): Promise<SignalRow | undefined> {
  const visible = forChecker ? sql<boolean>`true` : isVisible(ctx);
  const { rows } = await sql<SignalRow>`
    select ${fieldsFor(ctx)} from ${from} where s.id = ${id} and ${visible}`.execute(ctx.db);
  return rows[0];
}

export async function findSignalMarket(db: Db, id: number): Promise<SignalMarket | undefined> {
  const { rows } = await sql<SignalMarket>`
    select market_name as "marketName", future, state, max_leverage as "maxLeverage", price_precision as "pricePrecision" from market
    where id = ${id}`.execute(db);
  return rows[0];
}

export async function insertSignal(
  { db, operator, now }: Pick<Ctx, 'db' | 'now'> & { operator: { account: string } },
  terms: Terms,
  state: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into signal (title, market_id, side, leverage, price, take_profit, stop_loss, ratio, min_amount, max_amount, start_at,
      end_at, state, published, by_account, created_at, recorded_at, updated_at)
    values (${terms.title}, ${terms.marketId}, ${terms.side}, ${terms.leverage}, ${terms.price}, ${terms.takeProfit}, ${terms.stopLoss}, ${terms.ratio},
      ${terms.minAmount}, ${terms.maxAmount}, ${terms.startAt}, ${terms.endAt}, ${state}, ${state === SIGNAL.running ? 1 : 0},
      ${operator.account}, ${now}, ${now}, ${now})
    returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The insert of a signal returned no row.');
  return row.id;
}

/** Updates a signal of this version (optimistic locking). Returns false if it changed or ended. */
export async function updateSignal(
  { db, operator, now }: Ctx,
  { id, version }: Pick<SignalRow, 'id' | 'version'>,
  terms: Terms,
  state: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update signal set title = ${terms.title}, market_id = ${terms.marketId}, side = ${terms.side}, leverage = ${terms.leverage},
      price = ${terms.price}, take_profit = ${terms.takeProfit}, stop_loss = ${terms.stopLoss}, ratio = ${terms.ratio},
      min_amount = ${terms.minAmount}, max_amount = ${terms.maxAmount}, start_at = ${terms.startAt}, end_at = ${terms.endAt},
      state = ${state}, published = greatest(published, ${state === SIGNAL.running ? 1 : 0}), version = version + 1, by_account = ${operator.account}, updated_at = ${now}
    where id = ${id} and version = ${version} and state <> ${SIGNAL.ended}`.execute(db);
  return numAffectedRows === 1n;
}

const platformFields = sql`s.no, s.title, m.market_name as market, s.side, s.leverage, s.price, s.take_profit as "takeProfit",
  s.stop_loss as "stopLoss", s.ratio, s.min_amount as "minAmount", s.max_amount as "maxAmount", s.start_at as "startAt",
  s.end_at as "endAt", s.state`;

/** Running signals that have not ended, latest first. */
export async function fetchPlatformSignals(db: Db, scope: PlatformScope, now: number): Promise<PlatformSignal[]> {
  const { rows } = await sql<PlatformSignal>`select ${platformFields} from signal s join market m on m.id = s.market_id
    where s.state = ${SIGNAL.running} and s.end_at > ${now} and ${inMarkets(scope, 'm.market_name')}
    order by s.id desc`.execute(db);
  return rows;
}

export async function findPlatformSignal(db: Db, id: number): Promise<PlatformSignal> {
  const { rows } = await sql<PlatformSignal>`select ${platformFields} from signal s join market m on m.id = s.market_id
    where s.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`Signal ${id} does not exist.`);
  return row;
}

/** Running signals past their end, at most 100. */
export async function findOverdueSignals(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from signal where state = ${SIGNAL.running} and end_at <= ${now} order by id limit 100`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ends an overdue signal. Returns false if it ended or was extended meanwhile. */
export async function endSignal(db: Db, id: number, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update signal set state = ${SIGNAL.ended}, version = version + 1, by_account = null, updated_at = ${now}
    where id = ${id} and state = ${SIGNAL.running} and end_at <= ${now}`.execute(db);
  return numAffectedRows === 1n;
}

/** The fields of a signal that decide whether it can be followed. */
export interface FollowedSignal {
  id: number;
  marketId: number;
  marketName: string;
  coinId: number;
  state: number;
  minAmount: string;
  maxAmount: string;
  startAt: number;
  endAt: number;
  /** Whether the market trades futures and is listed. */
  isOpen: boolean;
}

/**
 * Takes a share lock on a signal: concurrent follows do not block each other, but a change of the signal waits for them.
 *
 * @throws Rejected for an unknown signal or a draft
 */
export async function lockSignal(db: Db, no: string, settlement: string): Promise<FollowedSignal> {
  const { rows } = await sql<FollowedSignal>`${prepared}
    select s.id, s.market_id as "marketId", m.market_name as "marketName", (select c.id from market c where c.market_name = ${settlement}) as "coinId",
      s.state, s.min_amount as "minAmount", s.max_amount as "maxAmount", s.start_at as "startAt", s.end_at as "endAt",
      m.future = 1 and m.state = 1 as "isOpen"
    from signal s join market m on m.id = s.market_id
    where s.no = ${no} and s.state <> ${SIGNAL.draft} for share of s`.execute(db);
  if (!rows[0]) throw reject('unknown', 'signal');
  return rows[0];
}
