import '../records/case-layout.css';
import './teamwork-history.css';
import { queue, queueEventKinds } from '@hengtai/contract/desk/queue/calls';
import type { QueueEvent, QueueHistory } from '@hengtai/contract/desk/queue/schema';
import { useRead } from '../api/hooks.ts';
import { operatorDetail } from '../navigation/account-cells.tsx';
import { Section } from '../ui/page/Section.tsx';
import { Time } from '../ui/value/Time.tsx';
import { formatTime, useZone } from '../ui/value/zone.ts';
import type { ReviewTarget } from './claims.ts';
import { QueryPlace } from '../api/QueryPlace.tsx';

const REFETCH_MS = 15_000;
/** The server hides accounts outside the scope. */
const HIDDEN_OPERATOR = '其他操作员';

/** Hand-overs, comments and postponements of a record, latest first. Renders nothing without any. */
export function TeamworkHistory({ type, id }: ReviewTarget) {
  const zone = useZone();
  const query = useRead(queue.history, { targetType: type, targetId: id }, { refetchMs: REFETCH_MS, staleTime: 5_000 });
  const { data } = query;
  if (!data && query.error)
    return (
      <Section title="协作">
        <QueryPlace query={query} isSmall />
      </Section>
    );
  if (!data || data.events.length === 0) return null;
  const currentText = stateText(data, (ms) => formatTime(ms, zone));
  return (
    <Section title="协作" {...(currentText !== undefined && { aside: currentText })}>
      <ul className="ht-records-case-lines" aria-label="协作记录">
        {data.events.map((event) => (
          <li key={event.id}>
            <b>{event.by === null ? HIDDEN_OPERATOR : operatorDetail(event.by)}</b>
            <span>{eventText(event, (ms) => formatTime(ms, zone))}</span>
            {event.text !== '' && <span className="ht-lists-teamwork-text">{event.text}</span>}
            <Time value={event.createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function stateText({ parkedUntil, escalated, assigneeId, assignee }: QueueHistory, timeText: (ms: number) => string) {
  if (parkedUntil !== null) return `搁置至 ${timeText(parkedUntil)}`;
  if (escalated) return '已上报';
  return assigneeId === null ? undefined : `已转交 ${assignee ?? HIDDEN_OPERATOR}`;
}

function eventText({ kind, until, to }: QueueEvent, timeText: (ms: number) => string): string {
  const names = to.map((account) => account ?? HIDDEN_OPERATOR).join('、');
  switch (kind) {
    case 'park':
      return until === null ? '取消搁置' : `搁置至 ${timeText(until)}`;
    case 'handOver':
      return names === '' ? '交回队列' : `转交给 ${names}`;
    case 'comment':
      return names === '' ? '评论' : `评论并提到 ${names}`;
    default:
      return (queueEventKinds as Readonly<Record<string, string>>)[kind] ?? kind;
  }
}
