import { SESSION, knownLabels, session, sessionEnds, sessionStates } from '@hengtai/contract/house/session/calls';
import type { SessionRow } from '@hengtai/contract/house/session/schema';
import { agentCell } from '../../../navigation/account-cells.tsx';
import { browserOf } from '../../../ui/browser/browser.ts';
import type { Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { stateCell, timeCell } from '../../../ui/table/list-cells.tsx';

const stateTones: Readonly<Record<number, Tone>> = { [SESSION.online]: 'good' };
const knownTones: Readonly<Record<number, Tone>> = { 0: 'wait', 1: 'idle' };

const col = listColOf<SessionRow>()(session.list.list.columns);

export const sessionColumns = [
  col('id', { width: 76, fixed: 'left', locked: true }),
  col('account', {
    width: 170,
    render: (value, row) => (
      <span>
        {agentCell(value)}
        {row.current === 1 && <b className="ht-session-current">当前</b>}
      </span>
    ),
  }),
  col('state', { width: 92, render: stateCell(sessionStates, stateTones) }),
  col('ip', { width: 130 }),
  col('userAgent', { width: 190, under: 'ip', render: (value) => <span title={value}>{browserOf(value)}</span> }),
  col('known', { width: 100, render: stateCell(knownLabels, knownTones) }),
  col('createdAt', { width: 108, render: timeCell }),
  col('lastSeenAt', { width: 108, render: timeCell }),
  col('expiresAt', {
    width: 108,
    under: 'lastSeenAt',
    render: (value, row) => timeCell(row.state === SESSION.online ? value : null),
  }),
  col('endedAt', { width: 108, under: 'createdAt', render: timeCell }),
  col('endReason', {
    width: 150,
    under: 'state',
    render: (value) => sessionEnds[value as keyof typeof sessionEnds] ?? (value || '--'),
  }),
];
