import { knownLabels, session, sessionEnds, sessionStates } from '@hengtai/contract/session';
import type { SessionRow } from '@hengtai/contract/session.schema';
import { browserOf } from '../../ui/browser.ts';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

const stateTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'good' };
const knownTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'idle' };

const col = listColOf<SessionRow>()(session.list.list.columns);
const time = (value: number | null) => <Time value={value} />;

export const sessionColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('account', {
    width: 170,
    render: (value, row) => (
      <span title={value}>
        {value}
        {row.current === 1 && <b className="se-current">当前</b>}
      </span>
    ),
  }),
  col('state', {
    width: 96,
    render: (value) => <StateTag state={value} labels={sessionStates} tones={stateTones} />,
  }),
  col('ip', { width: 140 }),
  col('userAgent', { width: 190, render: (value) => <span title={value}>{browserOf(value)}</span> }),
  col('known', { width: 104, render: (value) => <StateTag state={value} labels={knownLabels} tones={knownTones} /> }),
  col('createdAt', { width: 172, render: time }),
  col('lastSeenAt', { width: 172, render: time }),
  col('expiresAt', { width: 172, render: (value, row) => (row.state === 1 ? time(value) : <Time value={null} />) }),
  col('endedAt', { width: 172, render: time }),
  col('endReason', {
    width: 150,
    render: (value) => sessionEnds[value as keyof typeof sessionEnds] ?? (value || '--'),
  }),
];
