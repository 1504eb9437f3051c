import { type CountKey, countKeys, countSpecs } from '@hengtai/contract/desk/notify/notification';
import type { Counts } from '@hengtai/contract/desk/notify/schema';
import { QUEUE_TARGET_PREFIX, type QueueKey, queueKeys } from '@hengtai/contract/desk/queue/work-queue';
import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '../app/context.ts';
import { Declared } from '../app/declared.ts';

/** An operator with its scope, a transaction within that scope, and the time. */
export type Viewer = Pick<Ctx, 'db' | 'operator' | 'scope' | 'now'>;

/** Records that wait for operators, as their module describes them. */
export interface Waiting {
  /**
   * The records that wait for a viewer, as the text after `from`. States are literals, so that the planner can use partial
   * indexes.
   */
  from: (viewer: Viewer) => RawBuilder<unknown>;
  /** Absent if the records are counted, but are in no queue. */
  queue?: WaitingQueue;
}

/** How a queue reads its records. */
export interface WaitingQueue {
  /** The name of the table of the records in `from`. */
  alias: string;
  /** When a record began to wait. Absent if it waits since its creation, so that this is also known of a decided one. */
  since?: RawBuilder<unknown>;
  /** id, user_id, amount, market_id and details of a record. */
  columns: RawBuilder<unknown>;
  /** The order of the records, the riskiest first. */
  order: RawBuilder<unknown>;
  /** The rank of a record by risk, 1 for the gravest; null without one. Absent if the queue has no risks. */
  risk?: RawBuilder<unknown>;
}

/** Columns of queues whose records have none. */
export const none = { details: sql`'{}'::text[]`, amount: sql`null::numeric`, market: sql`null::bigint` };

/** What each module says of its records. */
export type DeclaredWaiting = { [K in CountKey]: K extends QueueKey ? Required<Waiting> : Waiting };

export const declaredWaiting = new Declared<DeclaredWaiting>('what waits for operators');

export const waitingRows = (key: CountKey, viewer: Viewer): RawBuilder<unknown> =>
  declaredWaiting.get()[key].from(viewer);

/** A queue, which also says since when its records wait. */
export function queueOf(key: QueueKey): Required<Pick<WaitingQueue, 'since'>> & WaitingQueue {
  const { queue } = declaredWaiting.get()[key];
  return { since: sql.ref(`${queue.alias}.created_at`), ...queue };
}

/** Whether the records of a queue wait since their creation. */
export const waitsSinceCreation = (key: QueueKey): boolean => declaredWaiting.get()[key].queue.since === undefined;

/** The counts that the viewer has the ability for. */
export const countsOf = ({ operator }: Pick<Viewer, 'operator'>): CountKey[] =>
  countKeys.filter((key) => [countSpecs[key].ability].flat().some((one) => can(operator, one)));

/** The queues that the viewer has the ability for. */
export function queuesOf(viewer: Pick<Viewer, 'operator'>): QueueKey[] {
  const counted = countsOf(viewer);
  return queueKeys.filter((key) => counted.includes(key));
}

/** The target waiting time of a queue in minutes; 0 if there is none. */
export async function findQueueTarget({ db }: Pick<Ctx, 'db'>, queue: QueueKey): Promise<number> {
  const { rows } = await sql<{ target: number }>`
    select coalesce(trunc(num), 0)::int as target from config where key = ${QUEUE_TARGET_PREFIX}::text || ${queue}::text`.execute(
    db,
  );
  return rows[0]?.target ?? 0;
}

/** Counts what waits for the viewer. Keys without the viewer's ability are left out. */
export async function countWaiting(viewer: Viewer): Promise<Counts> {
  const keys = countsOf(viewer);
  if (keys.length === 0) return {};
  const columns = keys.map((key) => sql`(select count(*) from ${waitingRows(key, viewer)}) as ${sql.ref(key)}`);
  const { rows } = await sql<Counts>`select ${sql.join(columns)}`.execute(viewer.db);
  return rows[0] ?? {};
}
