import { auditActions, auditResults } from '@hengtai/contract/audit';
import type { AuditRow } from '@hengtai/contract/audit.schema';
import { CODE } from '@hengtai/contract/envelope';
import { Hash } from '../../ui/Hash.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { colOf } from '../../ui/columns.ts';

export const resultTones: Readonly<Record<number, Tone>> = {
  [CODE.ok]: 'good',
  [CODE.submitted]: 'run',
  [CODE.wrongCredentials]: 'bad',
  [CODE.forbidden]: 'bad',
  [CODE.fresh]: 'wait',
  [CODE.conflict]: 'wait',
};

export const actionText = (action: string): string => auditActions[action] ?? action;
export const resultLabels: Readonly<Record<number, string>> = auditResults;

export const targetText = ({ targetType, targetId }: Pick<AuditRow, 'targetType' | 'targetId'>): string =>
  targetType === null ? '--' : `${targetType}${targetId === null ? '' : ` #${targetId}`}`;

const col = colOf<AuditRow>();
const titled = (value: string | null) => <span title={value ?? ''}>{value || '--'}</span>;

export const auditColumns = [
  col('id', { title: '编号', width: 88, fixed: 'left', locked: true }),
  col('createdAt', { title: '时间', width: 172, render: (value) => <Time value={value} /> }),
  col('operator', { title: '操作员', width: 130, render: titled }),
  col('action', { title: '操作', width: 150, render: (value) => <span title={value}>{actionText(value)}</span> }),
  col('result', {
    title: '结果',
    width: 110,
    render: (value) => (
      <StateTag state={value} labels={{ [value]: resultLabels[value] ?? String(value) }} tones={resultTones} />
    ),
  }),
  col('targetType', { title: '对象', width: 140, render: (_value, row) => targetText(row) }),
  col('account', { title: '用户账号', width: 140, render: titled }),
  col('reason', { title: '原因', width: 200, render: titled }),
  col('ip', { title: 'IP', width: 140 }),
  col('requestId', { title: '请求编号', width: 230, render: (value) => <Hash value={value} what="请求编号" /> }),
  col('sealed', { title: '封存序号', width: 100, align: 'right', render: (value) => value ?? '待封存' }),
  col('agent', { title: '所属代理', width: 120, hidden: true, render: titled }),
  col('userId', { title: '用户编号', width: 96, hidden: true }),
  col('sessionId', { title: '会话', width: 88, hidden: true }),
  col('approvalId', { title: '复核编号', width: 96, hidden: true }),
  col('userAgent', { title: '浏览器', width: 240, hidden: true, render: titled }),
];
