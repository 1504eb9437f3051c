import { actionText, audit, auditResults } from '@hengtai/contract/audit';
import type { AuditRow } from '@hengtai/contract/audit.schema';
import { CODE } from '@hengtai/contract/envelope';
import { PageLink } from '../../navigation/PageLink.tsx';
import { TargetLink } from '../../navigation/TargetLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';

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
const withTitle = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;
const jsonCell = (value: unknown) => withTitle(value === null || value === undefined ? null : JSON.stringify(value));

export const auditColumns = [
  col('id', { width: 88, fixed: 'left', locked: true }),
  col('createdAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('operator', { width: 130, render: (value) => value ?? '系统' }),
  col('action', { width: 150, render: (value) => <span title={value}>{actionText(value)}</span> }),
  col('result', {
    width: 110,
    render: (value) => (
      <StateTag state={value} labels={{ [value]: resultLabels[value] ?? String(value) }} tones={resultTones} />
    ),
  }),
  col('targetType', { width: 140, render: (_value, row) => <TargetLink target={row} /> }),
  col('account', {
    width: 140,
    render: (value, row) =>
      value === null ? (
        '--'
      ) : row.userId === null ? (
        withTitle(value)
      ) : (
        <PageLink to={`/user?open=${row.userId}`}>{value}</PageLink>
      ),
  }),
  col('reason', { width: 200, render: withTitle }),
  col('ip', { width: 140 }),
  col('requestId', { width: 230, render: (value) => <Hash value={value} what="请求编号" /> }),
  col('sealed', { width: 100, align: 'right', render: (value) => value ?? '待封存' }),
  col('agent', { width: 120, hidden: true, render: withTitle }),
  col('userId', { width: 96, hidden: true }),
  col('sessionId', { width: 88, hidden: true }),
  col('approvalId', {
    width: 96,
    hidden: true,
    render: (value) => (value === null ? '--' : <PageLink to={`/approval?open=${value}`}>#{value}</PageLink>),
  }),
  col('userAgent', { width: 240, hidden: true, render: withTitle }),
  col('before', { width: 240, hidden: true, render: jsonCell }),
  col('after', { width: 240, hidden: true, render: jsonCell }),
];
