import type { HomeQueue } from '@hengtai/contract/desk/home/schema';
import { QUEUE_TARGET_PREFIX } from '@hengtai/contract/desk/queue/work-queue';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { type Viewer, queueOf, queuesOf, waitingRows } from '../../../realtime/waiting.store.ts';

/** Key, number of records and begin of the oldest wait of every queue that the viewer has the ability for. */
export function selectQueues(viewer: Viewer): RawBuilder<unknown> {
  const queues = queuesOf(viewer).map(
    (key) => sql`select ${sql.lit(key)} as key, count(*) as count, min(${queueOf(key).since}) as oldest_at
      from ${waitingRows(key, viewer)}`,
  );
  return sql.join(queues, sql` union all `);
}

type QueueRow = Omit<HomeQueue, 'riskiest'> & HomeQueue['riskiest'];

/** The non-empty queues of the operator, the gravest first. Their rows are those of the counts in the bell. */
export async function fetchHomeQueues(ctx: Ctx): Promise<HomeQueue[]> {
  const keys = queuesOf(ctx);
  if (keys.length === 0) return [];
  const queues = keys.map((key, index) => {
    const { since, columns, order } = queueOf(key);
    const rows = waitingRows(key, ctx);
    return sql`(select ${sql.lit(index)} as place, ${sql.lit(key)} as key, c.count, c.oldest_at, t.*
      from (select count(*) as count, min(${since}) as oldest_at from ${rows}) c
      cross join lateral (select ${columns} from ${rows} order by ${order} limit 1) t)`;
  });
  const { rows } = await sql<QueueRow>`
    select q.key, q.count, q.oldest_at as "oldestAt", coalesce(trunc(s.num), 0)::int as target, q.id, u.id as "userId", u.account, q.amount,
      m.market_name as "marketName", q.details
    from (${sql.join(queues, sql` union all `)}) q
    left join config s on s.key = ${QUEUE_TARGET_PREFIX}::text || q.key
    left join users u on u.id = q.user_id and ${inScope(ctx.scope, 'u.agent_id')}
    left join market m on m.id = q.market_id
    order by q.place`.execute(ctx.db);
  return rows.map(({ key, count, oldestAt, target, ...riskiest }) => ({ key, count, oldestAt, target, riskiest }));
}
