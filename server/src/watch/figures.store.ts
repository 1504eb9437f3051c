import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { QUEUE_TARGET_PREFIX } from '@hengtai/contract/desk/queue/work-queue';
import { sql } from 'kysely';
import { isOffered } from '../gateway/command-lease.store.ts';
import { type Db, runInScope } from '../database/connect.ts';
import { selectQueues } from '../domains/desk/home/home-queue.store.ts';

/** Records of one kind that wait. `family` names the metric, `label` the kind within it. */
export interface Figure {
  family: 'queue' | 'command' | 'audit' | 'notification' | 'alarm';
  label: string;
  count: number;
  /** Unix milliseconds; null if nothing waits. Of unsent commands: the next one that nobody has taken. */
  oldestAt: number | null;
  /** Target time of a queue in minutes; null without one. */
  target: number | null;
}

const commandStates = { unanswered: COMMAND.sent, unknown: COMMAND.unknown };

/** What waits in the whole installation, by one statement with the time limits of a list. */
export function fetchFigures(system: Db, now: number): Promise<Figure[]> {
  const operator = { id: 0, account: '', top: true, abilities: [] };
  return runInScope(
    system,
    { kind: 'all' },
    0,
    async (db) => {
      const queues = selectQueues({ db, operator, scope: { kind: 'all' }, now });
      const commands = Object.entries(commandStates).map(
        ([label, state]) => sql`select 'command', ${sql.lit(label)}, count(*), min(created_at), null::int
          from command where state = ${sql.lit(state)}`,
      );
      const { rows } = await sql<Figure>`
        select 'queue' as family, q.key as label, q.count, q.oldest_at as "oldestAt", nullif(trunc(s.num), 0)::int as target
        from (${queues}) q left join config s on s.key = ${QUEUE_TARGET_PREFIX}::text || q.key
        union all select 'command', 'unsent', count(*),
          (select c.created_at from command c where ${isOffered(now)} order by c.seq limit 1), null
          from command where state = ${sql.lit(COMMAND.waiting)}
        union all ${sql.join(commands, sql` union all `)}
        union all select 'audit', '', count(*), min(a.recorded_at), null
          from audit_pending p join audit a on a.id = p.audit_id
        union all select 'notification', '', count(*), min(recorded_at), null from notice where seq is null
        union all select 'alarm', kind, count(*), min(created_at), null from alarm where closed_at is null
          group by kind`.execute(db);
      return rows;
    },
    'list',
  );
}
