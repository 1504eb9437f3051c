import { actionText, otherActor } from '@hengtai/contract/house/audit/calls';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { auditFieldText, auditTexts } from '@hengtai/contract/house/audit/words';
import { agentDetail, operatorDetail, userDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { formatTime, useZone } from '../../../ui/value/zone.ts';
import { StateMessage } from '../../../ui/table/list-states.tsx';
import { resultLabels, resultTones } from './columns.tsx';
import { type DiffLine, diffOf } from './diff.ts';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { InternalName } from '../../../records/InternalName.tsx';

interface Props {
  id: number | undefined;
  row: AuditRow | undefined;
  onClose: () => void;
}

const KINDS: Readonly<Record<DiffLine['kind'], string>> = { same: '', changed: '变更', added: '新增', removed: '移除' };

const diffColumns = (row: AuditRow): readonly MiniColumn<DiffLine>[] => [
  { title: '字段', cell: ({ path }) => <span title={path}>{path === '' ? '值' : auditFieldText(row, path)}</span> },
  { title: '变更前', cell: ({ before }) => <DiffValue text={before} /> },
  { title: '变更后', cell: ({ after }) => <DiffValue text={after} /> },
  { title: '', cell: ({ kind }) => KINDS[kind] },
];

/** One audit row with the differences between the record before and after. */
export function AuditDrawer({ id, row, onClose }: Props) {
  return (
    <PageDrawer open={id !== undefined} width={720} title={`审计 #${id ?? ''}`} onClose={onClose}>
      {row ? (
        <RecordedAction row={row} />
      ) : (
        <StateMessage mark="empty" title="该记录不在当前列表中">
          请翻到该记录所在的页再打开。
        </StateMessage>
      )}
    </PageDrawer>
  );
}

function RecordedAction({ row }: { row: AuditRow }) {
  const zone = useZone();
  const textsOf = (record: unknown) => auditTexts(row, record, (ms) => formatTime(ms, zone));
  const lines = diffOf(textsOf(row.before), textsOf(row.after));
  return (
    <>
      <Section title={actionText(row.action)}>
        <dl className="ht-value-details">
          <DetailItem label="操作员">
            {row.operator === null ? (
              otherActor(row.action)
            ) : (
              <>
                {operatorDetail(row.operator)} <AllActions field="operator" account={row.operator} />
              </>
            )}
          </DetailItem>
          <DetailItem label="结果">
            <StateTag
              state={row.result}
              labels={{ [row.result]: resultLabels[row.result] ?? String(row.result) }}
              tones={resultTones}
            />
          </DetailItem>
          <TimeItem label="时间" value={row.createdAt} />
          <DetailItem label="对象">
            <TargetLink target={row} />
          </DetailItem>
          <DetailItem label="用户">
            {row.targetType === 'agent' ? operatorDetail(row.account) : userDetail(row.account, row.userId)}{' '}
            {row.account !== null && <AllActions field="account" account={row.account} />}
          </DetailItem>
          <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
          <DetailItem label="IP">{row.ip || '--'}</DetailItem>
          <DetailItem label="会话">{row.sessionId ?? '--'}</DetailItem>
          <DetailItem label="封存">{row.sealed === null ? '待封存' : `#${row.sealed}`}</DetailItem>
          <DetailItem label="复核">
            {row.approvalId === null ? (
              '--'
            ) : (
              <PageLink to={`/approval?open=${row.approvalId}`}>#{row.approvalId}</PageLink>
            )}
          </DetailItem>
          <DetailItem label="原因" wide>
            {row.reason || '--'}
          </DetailItem>
          <DetailItem label="操作">
            {actionText(row.action)} <InternalName name={row.action} />
          </DetailItem>
          <DetailItem label="请求编号" wide>
            <Hash full value={row.requestId} label="请求编号" />
          </DetailItem>
          <DetailItem label="浏览器" wide>
            {row.userAgent || '--'}
          </DetailItem>
        </dl>
      </Section>
      <Section title="变更" aside={`${lines.filter(({ kind }) => kind !== 'same').length} 处`}>
        <MiniTable
          label="变更前后"
          rows={lines}
          keyOf={({ path }) => path}
          empty="没有记录内容的变更"
          isMarked={({ kind }) => kind !== 'same'}
          columns={diffColumns(row)}
        />
      </Section>
    </>
  );
}

function DiffValue({ text }: { text: string | undefined }) {
  if (text === undefined) return <span className="ht-value-faint">无</span>;
  return <span className="ht-audit-value">{text === '' ? '（空）' : text}</span>;
}

const AllActions = ({ field, account }: { field: 'operator' | 'account'; account: string }) => (
  <PageLink to={`/audit?${field}=${encodeURIComponent(account)}`}>全部操作</PageLink>
);
