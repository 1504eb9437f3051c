import { type QueueKey, risksByGravity } from '@hengtai/contract/work-queue';
import { type RawBuilder, sql } from 'kysely';

/** What is read of the records of a queue, as `waitingRows` names them. */
export interface QueueSource {
  /** The name of the table of the records in `waitingRows`. */
  alias: string;
  /** When a record began to wait. */
  since: RawBuilder<unknown>;
  /** id, user_id, amount, market_id and details of a record. */
  columns: RawBuilder<unknown>;
  /** The order of the records, the riskiest first. */
  order: RawBuilder<unknown>;
  /** The rank of a record by risk, 1 for the gravest; null without one. Absent if the queue has no risks. */
  risk?: RawBuilder<unknown>;
}

const gravity = sql`array[${sql.join(risksByGravity.map((risk) => sql.lit(risk)))}]::text[]`;

const gravest = sql`(select min(array_position(${gravity}, r)) from unnest(w.risk) r)`;

/** An update moves a withdrawal to its current state; nothing else changes an open one. */
const withdraws = (since: RawBuilder<unknown>): QueueSource => ({
  alias: 'w',
  risk: gravest,
  since,
  columns: sql`w.id, w.user_id, w.amount, w.market_id,
    array(select r from unnest(w.risk) r order by array_position(${gravity}, r)) as details`,
  order: sql`${gravest} nulls last, w.valuation desc nulls first, w.id`,
});

/** Time of the first unread message of a conversation. */
const unreadSince = sql`(
  select min(x.created_at) from service_message x where x.service_id = s.id and x.received > s.read_count)`;

const none = { details: sql`'{}'::text[]`, amount: sql`null::numeric`, market: sql`null::bigint` };

export const queueSources: Readonly<Record<QueueKey, QueueSource>> = {
  withdrawReview: withdraws(sql`w.created_at`),
  withdrawFailed: withdraws(sql`w.updated_at`),
  withdrawUnknown: withdraws(sql`w.updated_at`),
  commandUnknown: {
    alias: 'c',
    since: sql`coalesce(c.sent_at, c.created_at)`,
    columns: sql`c.id, o.user_id, ${none.amount} as amount, o.market_id, array[c.type] as details`,
    order: sql`c.id`,
  },
  alarmOpen: {
    alias: 'a',
    since: sql`a.created_at`,
    columns: sql`a.id, a.user_id, ${none.amount} as amount, ${none.market} as market_id, array[a.kind] as details`,
    order: sql`a.id`,
  },
  approvalOpen: {
    alias: 'a',
    since: sql`a.created_at`,
    columns: sql`a.id, a.user_id, a.amount, ${none.market} as market_id, array[a.action] as details`,
    // An action without a value counts as above every limit.
    order: sql`a.amount desc nulls first, a.id`,
  },
  rechargeHeld: {
    alias: 'r',
    since: sql`r.updated_at`,
    columns: sql`r.id, r.user_id, r.amount, r.market_id, ${none.details} as details`,
    order: sql`r.amount * usdt_price(r.market_id) desc nulls first, r.id`,
  },
  ieoReview: {
    alias: 'o',
    since: sql`o.created_at`,
    columns: sql`o.id, o.user_id, o.pay as amount, ${none.market} as market_id, ${none.details} as details`,
    order: sql`o.pay desc, o.id`,
  },
  authReview: {
    alias: 'a',
    // A higher level opens more to the customer.
    risk: sql`-a.level`,
    since: sql`a.created_at`,
    columns: sql`a.id, a.user_id, ${none.amount} as amount, ${none.market} as market_id, array[a.level::text] as details`,
    order: sql`a.level desc, a.id`,
  },
  marketHalted: {
    alias: 'm',
    since: sql`h.at`,
    columns: sql`m.id, null::bigint as user_id, ${none.amount} as amount, m.id as market_id, array[h.type::text] as details`,
    order: sql`h.at, m.id`,
  },
  serviceUnread: {
    alias: 's',
    since: unreadSince,
    columns: sql`s.id, s.user_id, ${none.amount} as amount, ${none.market} as market_id, ${none.details} as details`,
    order: sql`${unreadSince}, s.id`,
  },
};
