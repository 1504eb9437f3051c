import { BINARY_CONTRACT_EVIDENCE_TICKS } from '@hengtai/contract/binary-contract';
import type {
  BinaryContractDetail,
  BinaryContractEvidence,
  BinaryContractTick,
} from '@hengtai/contract/binary-contract.schema';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { inScope } from '../db/scope.ts';
import type { BinaryContractRecord } from './binary-contract.store.ts';

type At = Pick<BinaryContractRecord, 'marketId' | 'openAt' | 'settleAt'>;

const tick = sql`t.id, t.price, t.at, t.recorded_at as "recordedAt"`;

const one = async (ctx: Pick<Ctx, 'db'>, which: RawBuilder<unknown>): Promise<BinaryContractTick | null> =>
  (await sql<BinaryContractTick>`select ${tick} from tick t where ${which} limit 1`.execute(ctx.db)).rows[0] ?? null;

/** The market's first tick at or after a moment; once there is one, it stays the first. */
const firstSince = (ctx: Pick<Ctx, 'db'>, marketId: number, at: number) =>
  one(ctx, sql`t.market_id = ${marketId} and t.at >= ${at} order by t.at, t.id`);
const lastBefore = (ctx: Pick<Ctx, 'db'>, marketId: number, at: number) =>
  one(ctx, sql`t.market_id = ${marketId} and t.at < ${at} order by t.at desc, t.id desc`);

export const openingTick = (ctx: Pick<Ctx, 'db'>, { marketId, openAt }: At) => firstSince(ctx, marketId, openAt);
/** Null as long as nothing of its end is on record. */
export const closingTick = (ctx: Pick<Ctx, 'db'>, { marketId, settleAt }: At) => firstSince(ctx, marketId, settleAt);

/** The ticks that decide, as the record has them, each with the one right before it. */
export async function ticksOf(ctx: Ctx, contract: At): Promise<BinaryContractDetail['ticks']> {
  const { marketId, openAt, settleAt } = contract;
  return {
    beforeOpen: await lastBefore(ctx, marketId, openAt),
    open: await openingTick(ctx, contract),
    beforeClose: await lastBefore(ctx, marketId, settleAt),
    close: await closingTick(ctx, contract),
  };
}

/** The market's ticks from right before the opening to the closing one; of very many the two ends. */
export async function ticksBetween(
  ctx: Ctx,
  { marketId }: At,
  { beforeOpen, open, close }: BinaryContractDetail['ticks'],
): Promise<{ ticks: BinaryContractTick[]; left: number }> {
  const from = beforeOpen?.id ?? open?.id ?? Number.MAX_SAFE_INTEGER;
  // Of one market ticks are numbered in the order of their times.
  const within = sql`t.market_id = ${marketId} and t.at >= ${beforeOpen?.at ?? open?.at ?? 0} and t.id >= ${from}
    and t.at <= ${close?.at ?? Number.MAX_SAFE_INTEGER} and t.id <= ${close?.id ?? Number.MAX_SAFE_INTEGER}`;
  const half = BINARY_CONTRACT_EVIDENCE_TICKS / 2;
  const { rows } = await sql<BinaryContractTick & { n: number; total: number }>`
    select * from (
      select ${tick}, row_number() over (order by t.at, t.id)::int as n, count(*) over ()::int as total from tick t
      where ${within}) x
    where n <= ${half} or n > total - ${half} order by n`.execute(ctx.db);
  const ticks = rows.map(({ n: _n, total: _total, ...row }) => row);
  return { ticks, left: (rows[0]?.total ?? 0) - ticks.length };
}

/** The user's ledger lines of one contract; the lines of the house are nobody's business here. */
export async function linesOf(ctx: Ctx, id: number): Promise<BinaryContractEvidence['entries']> {
  const { rows } = await sql<BinaryContractEvidence['entries'][number]>`
    select e.id, e.platform, e.bucket, e.type, e.amount, e.balance, e.created_at as "createdAt"
    from transfer t join leg l on l.transfer_id = t.id join entry e on e.leg_id = l.id
    where t.ref_type = 'second' and t.ref_id = ${id} and e.user_id is not null and ${inScope(ctx.scope, 'e.agent_id')}
    order by e.id`.execute(ctx.db);
  return rows;
}

/** What the platform was told. The caller has found the contract in the operator's tree. */
export async function commandsAbout(ctx: Ctx, id: number): Promise<BinaryContractDetail['commands']> {
  const { rows } = await sql<BinaryContractDetail['commands'][number]>`
    select c.id, c.type, c.state, c.created_at as "createdAt", c.done_at as "doneAt" from command c
    where c.ref_type = 'second' and c.ref_id = ${id} order by c.id desc limit 20`.execute(ctx.db);
  return rows;
}
