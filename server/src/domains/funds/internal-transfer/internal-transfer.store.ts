import { internalTransfer as calls } from '@hengtai/contract/funds/internal-transfer/calls';
import type { TransferRow } from '@hengtai/contract/funds/internal-transfer/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { defineList, lastRows } from '../../../books/lists/list.ts';
import type { ListSource } from '../../../books/lists/source.ts';
import { inScope } from '../../../database/scope.ts';
import { type BulkRow, unnestRows } from '../../../database/bulk.ts';
import type { EventBatch, Writer } from '../../../gateway/event-batch.ts';
import { reject } from '../../../gateway/rejected.ts';

const transferTypes = {
  id: 'bigint',
  no: 'text',
  userId: 'bigint',
  agentId: 'bigint',
  toUserId: 'bigint',
  toAgentId: 'bigint',
  marketId: 'bigint',
  platform: 'int',
  toPlatform: 'int',
  amount: 'numeric',
  createdAt: 'bigint',
  now: 'bigint',
} as const;
type TransferToWrite = BulkRow<typeof transferTypes>;

interface NewTransfer extends Omit<TransferToWrite, 'id' | 'userId' | 'agentId' | 'toUserId' | 'toAgentId'> {
  from: { id: number; agentId: number };
  to: { id: number; agentId: number };
}

const newTransfers: Writer<TransferToWrite> = { tables: ['internal_transfer'], write: insertTransfers };

/** @throws Rejected if the number exists */
export const insertTransfer = (batch: EventBatch, { from, to, ...row }: NewTransfer): Promise<number> =>
  batch.insertWithId(newTransfers, {
    ...row,
    userId: from.id,
    agentId: from.agentId,
    toUserId: to.id,
    toAgentId: to.agentId,
  });

async function insertTransfers(db: Db, rows: readonly TransferToWrite[]): Promise<void> {
  const { numAffectedRows } = await sql`${prepared}
    insert into internal_transfer (id, no, user_id, agent_id, to_user_id, to_agent_id, market_id, platform, to_platform,
      amount, state, created_at, recorded_at, updated_at) overriding system value
    select id, no, "userId", "agentId", "toUserId", "toAgentId", "marketId", platform, "toPlatform", amount, 1, "createdAt", now, now
    from ${unnestRows('t', transferTypes, rows)} order by n
    on conflict (no) do nothing`.execute(db);
  if (numAffectedRows !== BigInt(rows.length)) throw reject('exists');
}

/** Visible to the scope of the sender and of the receiver; a user outside the reader's scope is hidden (`--`). */
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
    agentRoot: 't.agent_id',
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

/** The last transfers that one user sent or received. Each direction has its own index. */
export const lastTransfers = (ctx: Ctx, userId: number, limit: number) => {
  const ids = (column: string) =>
    sql`(select id from internal_transfer where ${sql.ref(column)} = ${userId} order by id desc limit ${limit})`;
  const condition = sql<boolean>`t.id = any(array(${ids('user_id')} union ${ids('to_user_id')}))`;
  return lastRows<TransferRow>(ctx.db, sourceFor(ctx), condition, limit);
};
