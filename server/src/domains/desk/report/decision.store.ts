import { type ReviewQueueKey, reviewQueueKeys, reviewQueues } from '@hengtai/contract/desk/queue/work-queue';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { inScope } from '../../../database/scope.ts';
import { waitsSinceCreation } from '../../../realtime/waiting.store.ts';

/** Review queues whose records wait since their creation. */
const queuesSinceCreation = (): ReviewQueueKey[] => reviewQueueKeys.filter(waitsSinceCreation);

const textsOf = (texts: readonly string[]): RawBuilder<unknown> => sql.join(texts.map((text) => sql.lit(text)));

/** When the record was created that the audited action `a` decided about; null for queues that records enter later. */
export const createdAtOf = ({ scope }: Pick<Ctx, 'scope'>): RawBuilder<number | null> => {
  const cases = queuesSinceCreation().map((key) => {
    const { type, actions } = reviewQueues[key];
    return sql`when a.action in (${textsOf(actions)})
      then (select x.created_at from ${sql.table(type)} x where x.id = a.target_id and ${inScope(scope, 'x.agent_id')})`;
  });
  return sql<number | null>`case ${sql.join(cases, sql` `)} end`;
};

/** Audit actions that decide about a request that waited since its creation. An alarm is closed, not decided. */
export const decidingActions = (): string[] =>
  queuesSinceCreation().flatMap((key) => (key === 'alarmOpen' ? [] : reviewQueues[key].actions));
