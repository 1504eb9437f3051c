import type { HomeQueue } from '@hengtai/contract/home.schema';
import { type QueueKey, QUEUE_TARGET_PREFIX, queueKeys, risksByGravity } from '@hengtai/contract/work-queue';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../core/context.ts';
import { inScope } from '../../postgres/scope.ts';
import { type Viewer, countsOf, waitingRows } from '../../realtime/notify.store.ts';

interface QueueSource {
  /** When a record began to wait. */
  since: RawBuilder<unknown>;
  /** id, user_id, amount, market_id and details of a record. */
  columns: RawBuilder<unknown>;
  /** The order of the records, the riskiest first. */
  order: RawBuilder<unknown>;
}

const gravity = sql`array[${sql.join(risksByGravity.map((risk) => sql.lit(risk)))}]::text[]`;

/** An update moves a withdrawal to its current state; nothing else changes an open one. */
const withdraws = (since: RawBuilder<unknown>): QueueSource => ({
  since,
  columns: sql`w.id, w.user_id, w.amount, w.market_id,
    array(select r from unnest(w.risk) r order by array_position(${gravity}, r)) as details`,
  order: sql`(select min(array_position(${gravity}, r)) from unnest(w.risk) r) nulls last,
    w.valuation desc nulls first, w.id`,
});

/** Time of the first unread message of a conversation. */
const unreadSince = sql`(
  select min(x.created_at) from service_message x where x.service_id = s.id and x.received > s.read_count)`;

const none = { details: sql`'{}'::text[]`, amount: sql`null::numeric`, market: sql`null::bigint` };

const sources: Readonly<Record<QueueKey, QueueSource>> = {
  withdrawReview: withdraws(sql`w.created_at`),
  withdrawFailed: withdraws(sql`w.updated_at`),
  withdrawUnknown: withdraws(sql`w.updated_at`),
  commandUnknown: {
    since: sql`coalesce(c.sent_at, c.created_at)`,
    columns: sql`c.id, o.user_id, ${none.amount} as amount, o.market_id, array[c.type] as details`,
    order: sql`c.id`,
  },
  alarmOpen: {
    since: sql`a.created_at`,
    columns: sql`a.id, a.user_id, ${none.amount} as amount, ${none.market} as market_id, array[a.kind] as details`,
    order: sql`a.id`,
  },
  approvalOpen: {
    since: sql`a.created_at`,
    columns: sql`a.id, a.user_id, a.amount, ${none.market} as market_id, array[a.action] as details`,
    // An action without a value counts as above every limit.
    order: sql`a.amount desc nulls first, a.id`,
  },
  rechargeHeld: {
    since: sql`r.updated_at`,
    columns: sql`r.id, r.user_id, r.amount, r.market_id, ${none.details} as details`,
    order: sql`r.amount * usdt_price(r.market_id) desc nulls first, r.id`,
  },
  ieoReview: {
    since: sql`o.created_at`,
    columns: sql`o.id, o.user_id, o.pay as amount, ${none.market} as market_id, ${none.details} as details`,
    order: sql`o.pay desc, o.id`,
  },
  authReview: {
    since: sql`a.created_at`,
    columns: sql`a.id, a.user_id, ${none.amount} as amount, ${none.market} as market_id, array[a.level::text] as details`,
    order: sql`a.level desc, a.id`,
  },
  marketHalted: {
    since: sql`h.at`,
    columns: sql`m.id, null::bigint as user_id, ${none.amount} as amount, m.id as market_id, array[h.type::text] as details`,
    order: sql`h.at, m.id`,
  },
  serviceUnread: {
    since: unreadSince,
    columns: sql`s.id, s.user_id, ${none.amount} as amount, ${none.market} as market_id, ${none.details} as details`,
    order: sql`${unreadSince}, s.id`,
  },
};

/** Key, number of records and begin of the oldest wait of every queue that the viewer has the ability for. */
export function selectQueues(viewer: Viewer): RawBuilder<unknown> {
  const counted = countsOf(viewer);
  const queues = queueKeys
    .filter((key) => counted.includes(key))
    .map(
      (key) => sql`select ${sql.lit(key)} as key, count(*) as count, min(${sources[key].since}) as oldest_at
        from ${waitingRows[key](viewer)}`,
    );
  return sql.join(queues, sql` union all `);
}

type QueueRow = Omit<HomeQueue, 'riskiest'> & HomeQueue['riskiest'];

/** The non-empty queues of the operator, the gravest first. Their rows are those of the counts in the bell. */
export async function homeQueues(ctx: Ctx): Promise<HomeQueue[]> {
  const counted = countsOf(ctx);
  const keys = queueKeys.filter((key) => counted.includes(key));
  if (keys.length === 0) return [];
  const queues = keys.map((key, index) => {
    const { since, columns, order } = sources[key];
    const rows = waitingRows[key](ctx);
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
