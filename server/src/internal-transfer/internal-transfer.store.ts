import { internalTransfer as calls } from '@hengtai/contract/internal-transfer';
import type { TransferRow } from '@hengtai/contract/internal-transfer.schema';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { type Db, prepared } from '../db/connect.ts';
import { type ListSource, defineList, lastRows } from '../db/list.ts';
import { inScope } from '../db/scope.ts';

export interface NewTransfer {
  no: string;
  from: { id: number; agentId: number };
  to: { id: number; agentId: number };
  marketId: number;
  platform: number;
  toPlatform: number;
  amount: string;
  createdAt: number;
  now: number;
}

/** undefined when the number is known already. */
export async function insertTransfer(db: Db, row: NewTransfer): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${prepared}
    insert into internal_transfer (no, user_id, agent_id, to_user_id, to_agent_id, market_id, platform, to_platform, amount,
      state, created_at, recorded_at, updated_at)
    values (${row.no}, ${row.from.id}, ${row.from.agentId}, ${row.to.id}, ${row.to.agentId}, ${row.marketId},
      ${row.platform}, ${row.toPlatform}, ${row.amount}::numeric, 1, ${row.createdAt}, ${row.now}, ${row.now})
    on conflict (no) do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Seen from both ends; the other end is named only where it lies in the reader's tree as well. */
const sourceFor = ({ scope }: Ctx): ListSource => ({
  fields: sql`
    t.id, t.no, u.id as "userId", coalesce(u.account, '--') as account, coalesce(g.shown, '--') as agent,
    v.id as "toUserId", coalesce(v.account, '--') as "toAccount", t.market_id as "marketId",
    m.market_name as "marketName", t.platform, t.to_platform as "toPlatform", t.amount, t.state,
    t.created_at as "createdAt", t.updated_at as "updatedAt"`,
  from: sql`internal_transfer t
    left join users u on u.id = t.user_id and ${inScope(scope, 'u.agent_id')}
    left join users v on v.id = t.to_user_id and ${inScope(scope, 'v.agent_id')}
    left join agent g on g.id = t.agent_id and ${inScope(scope, 'g.id')}
    left join market m on m.id = t.market_id`,
  id: 't.id',
  createdAt: 't.created_at',
  filters: {
    account: 'u.account_key',
    toAccount: 'v.account_key',
    agent: 't.agent_id',
    state: 't.state',
    marketId: 't.market_id',
    platform: 't.platform',
    toPlatform: 't.to_platform',
    userId: 'u.id',
    id: 't.id',
    no: 't.no',
  },
  sort: { amount: 't.amount' },
  sums: { marketId: 't.market_id', fields: { amount: 't.amount' } },
  where: sql<boolean>`(${inScope(scope, 't.agent_id')} or ${inScope(scope, 't.to_agent_id')})`,
});

export const listTransfers = defineList(calls.list, sourceFor);

/** The last transfers that one user sent or received. */
export const lastTransfers = (ctx: Ctx, userId: number, limit: number) =>
  lastRows<TransferRow>(ctx.db, sourceFor(ctx), sql`(t.user_id = ${userId} or t.to_user_id = ${userId})`, limit);
