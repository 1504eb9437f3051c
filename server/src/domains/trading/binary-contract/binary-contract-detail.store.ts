import { BINARY_CONTRACT_EVIDENCE_TICKS } from '@hengtai/contract/trading/binary-contract/calls';
import type {
  BinaryContractDetail,
  BinaryContractEvidence,
  BinaryContractTick,
} from '@hengtai/contract/trading/binary-contract/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import type { BinaryContractRecord } from './binary-contract.store.ts';

type ContractTimes = Pick<BinaryContractRecord, 'marketId' | 'openAt' | 'settleAt'>;

const tick = sql`t.id, t.price, t.at, t.recorded_at as "recordedAt"`;

const fetchTick = async (ctx: Pick<Ctx, 'db'>, where: RawBuilder<unknown>): Promise<BinaryContractTick | null> =>
  (await sql<BinaryContractTick>`select ${tick} from tick t where ${where} limit 1`.execute(ctx.db)).rows[0] ?? null;

/** The first tick of a market at or after a time. Ticks never go back in time, so it never changes once it exists. */
const fetchFirstSince = (ctx: Pick<Ctx, 'db'>, marketId: number, at: number) =>
  fetchTick(ctx, sql`t.market_id = ${marketId} and t.at >= ${at} order by t.at, t.id`);
const fetchLastBefore = (ctx: Pick<Ctx, 'db'>, marketId: number, at: number) =>
  fetchTick(ctx, sql`t.market_id = ${marketId} and t.at < ${at} order by t.at desc, t.id desc`);

const fetchOpeningTick = (ctx: Pick<Ctx, 'db'>, { marketId, openAt }: ContractTimes) =>
  fetchFirstSince(ctx, marketId, openAt);
/** null until a tick at or after the expiry is recorded. */
export const fetchClosingTick = (ctx: Pick<Ctx, 'db'>, { marketId, settleAt }: ContractTimes) =>
  fetchFirstSince(ctx, marketId, settleAt);

/** The opening and closing tick, each with the tick right before it. */
export async function fetchDecidingTicks(ctx: Ctx, contract: ContractTimes): Promise<BinaryContractDetail['ticks']> {
  const { marketId, openAt, settleAt } = contract;
  return {
    beforeOpen: await fetchLastBefore(ctx, marketId, openAt),
    open: await fetchOpeningTick(ctx, contract),
    beforeClose: await fetchLastBefore(ctx, marketId, settleAt),
    close: await fetchClosingTick(ctx, contract),
  };
}

/**
 * The ticks of the market from right before the opening to the closing tick. Beyond BINARY_CONTRACT_EVIDENCE_TICKS only the
 * first and last ones are returned; `left` counts the others.
 */
export async function fetchTicksBetween(
  ctx: Ctx,
  { marketId }: ContractTimes,
  { beforeOpen, open, close }: BinaryContractDetail['ticks'],
): Promise<{ ticks: BinaryContractTick[]; left: number }> {
  const from = beforeOpen?.id ?? open?.id ?? Number.MAX_SAFE_INTEGER;
  // The ids of the ticks of one market ascend with their times.
  const inRange = sql`t.market_id = ${marketId} and t.at >= ${beforeOpen?.at ?? open?.at ?? 0} and t.id >= ${from}
    and t.at <= ${close?.at ?? Number.MAX_SAFE_INTEGER} and t.id <= ${close?.id ?? Number.MAX_SAFE_INTEGER}`;
  const half = BINARY_CONTRACT_EVIDENCE_TICKS / 2;
  const { rows } = await sql<BinaryContractTick & { n: number; total: number }>`
    select * from (
      select ${tick}, row_number() over (order by t.at, t.id)::int as n, count(*) over ()::int as total from tick t
      where ${inRange}) x
    where n <= ${half} or n > total - ${half} order by n`.execute(ctx.db);
  const ticks = rows.map(({ n: _n, total: _total, ...row }) => row);
  return { ticks, left: (rows[0]?.total ?? 0) - ticks.length };
}

/** The ledger entries of the user for one contract, without those of house accounts. */
export async function fetchEntries(ctx: Ctx, id: number): Promise<BinaryContractEvidence['entries']> {
  const { rows } = await sql<BinaryContractEvidence['entries'][number]>`
    select e.id, e.platform, e.bucket, e.type, e.amount, e.balance, e.created_at as "createdAt"
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id
    where t.ref_type = 'second' and t.ref_id = ${id} and e.user_id is not null and ${inScope(ctx.scope, 'e.agent_id')}
    order by e.id`.execute(ctx.db);
  return rows;
}

/** The latest commands about a contract. The caller has checked the scope. */
export async function fetchCommands(ctx: Ctx, id: number): Promise<BinaryContractDetail['commands']> {
  const { rows } = await sql<BinaryContractDetail['commands'][number]>`
    select c.id, c.type, c.state, c.created_at as "createdAt", c.done_at as "doneAt" from command c
    where c.ref_type = 'second' and c.ref_id = ${id} order by c.id desc limit 20`.execute(ctx.db);
  return rows;
}
