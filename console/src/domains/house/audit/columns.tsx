import {
  actionText,
  afterText,
  audit,
  auditResults,
  beforeText,
  otherActor,
} from '@hengtai/contract/house/audit/calls';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { agentCell, operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { formatTime, useZone } from '../../../ui/value/zone.ts';

export const resultTones: Readonly<Record<number, Tone>> = {
  [CODE.ok]: 'good',
  [CODE.submitted]: 'run',
  [CODE.wrongCredentials]: 'bad',
  [CODE.forbidden]: 'bad',
  [CODE.fresh]: 'wait',
  [CODE.conflict]: 'wait',
};

export const resultLabels: Readonly<Record<number, string>> = auditResults;

const col = listColOf<AuditRow>()(audit.list.list.columns);

/** The recorded state before or after an action in words. */
function RecordText({ row, of }: { row: AuditRow; of: typeof beforeText }) {
  const zone = useZone();
  return textCell(of(row, (ms) => formatTime(ms, zone)) || null);
}

export const auditColumns = [
  col('id', { width: 84, fixed: 'left', locked: true }),
  col('createdAt', { width: 104, render: timeCell }),
  col('operator', {
    width: 124,
    render: (value, row) => (value === null ? otherActor(row.action) : operatorCell(value)),
  }),
  col('action', {
    width: 150,
    render: (value) => <span title={`${actionText(value)} ${value}`}>{actionText(value)}</span>,
  }),
  col('result', {
    width: 96,
    render: (value) => (
      <StateTag state={value} labels={{ [value]: resultLabels[value] ?? String(value) }} tones={resultTones} />
    ),
  }),
  col('targetType', { width: 150, render: (_value, row) => <TargetLink target={row} /> }),
  col('account', {
    width: 140,
    under: 'targetType',
    render: (value, row) => (row.targetType === 'agent' ? operatorCell(value) : userCell(value, row)),
  }),
  col('reason', { width: 200, under: 'action', render: textCell }),
  col('ip', { width: 140, under: 'createdAt' }),
  col('requestId', { width: 200, drawer: true, render: (value) => <Hash value={value} label="请求编号" /> }),
  col('sealed', { width: 92, align: 'right', render: (value) => value ?? '待封存' }),
  col('agent', { width: 130, hidden: true, render: agentCell }),
  col('userId', { width: 96, hidden: true }),
  col('sessionId', { width: 88, hidden: true }),
  col('approvalId', {
    width: 96,
    hidden: true,
    render: (value) => (value === null ? '--' : <PageLink to={`/approval?open=${value}`}>#{value}</PageLink>),
  }),
  col('userAgent', { width: 240, hidden: true, render: textCell }),
  col('before', { width: 240, hidden: true, render: (_value, row) => <RecordText row={row} of={beforeText} /> }),
  col('after', { width: 240, hidden: true, render: (_value, row) => <RecordText row={row} of={afterText} /> }),
];
