import './timeline.css';
import type { ReactNode } from 'react';
import { Time } from '../ui/value/Time.tsx';

export interface TimelineEvent {
  key: string;
  /** Unix milliseconds. */
  at: number;
  /** Kind of event, in one word; a link to its record. */
  label: ReactNode;
  content: ReactNode;
  /** The record under review. */
  isCurrent?: boolean;
}

/** Events of several kinds in one stream, newest first. */
export const Timeline = ({ events, note }: { events: readonly TimelineEvent[]; note?: string }) => (
  <section className="ht-records-timeline">
    <h3>
      时间线
      {note !== undefined && <span className="ht-page-aside">{note}</span>}
    </h3>
    <Stream events={events.toSorted((a, b) => b.at - a.at)} />
  </section>
);

function Stream({ events }: { events: readonly TimelineEvent[] }) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol aria-label="时间线" tabIndex={0}>
      {events.map(({ key, at, label, content, isCurrent = false }) => (
        <li key={key} data-current={isCurrent}>
          <Time value={at} near />
          <b>{label}</b>
          <div>{content}</div>
        </li>
      ))}
    </ol>
  );
}
