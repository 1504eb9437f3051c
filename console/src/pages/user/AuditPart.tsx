import { ABILITY, abilityLabels } from '@hengtai/contract/ability';
import { actionText, auditResults } from '@hengtai/contract/audit';
import { CODE } from '@hengtai/contract/envelope';
import type { UserDetail } from '@hengtai/contract/user.schema';
import { PageLink } from '../../shell/PageLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { Notice } from '../../ui/list-states.tsx';

const results: Readonly<Record<number, string>> = auditResults;
const tones: Readonly<Record<number, Tone>> = {
  [CODE.ok]: 'good',
  [CODE.submitted]: 'run',
  [CODE.forbidden]: 'bad',
  [CODE.fresh]: 'wait',
  [CODE.conflict]: 'wait',
};

const columns: readonly MiniColumn<UserDetail['audits'][number]>[] = [
  { title: '时间', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '操作员', cell: ({ operator }) => <span className="us-clip">{operator ?? '系统'}</span> },
  { title: '操作', cell: ({ action }) => <span title={action}>{actionText(action)}</span> },
  {
    title: '结果',
    cell: ({ result }) => (
      <StateTag state={result} labels={{ [result]: results[result] ?? String(result) }} tones={tones} />
    ),
  },
  {
    title: '原因',
    cell: ({ reason }) => (
      <span className="us-clip" title={reason}>
        {reason || '--'}
      </span>
    ),
  },
  { title: 'IP', cell: ({ ip }) => ip || '--' },
  { title: '请求编号', cell: ({ requestId }) => <Hash value={requestId} what="请求编号" /> },
];

/** What operators did to this user, for those who may read the audit log. */
export function AuditPart({ detail: { row, audits, auditsShown } }: { detail: UserDetail }) {
  if (!auditsShown) {
    return (
      <Notice mark="forbidden" title="没有权限查看">
        需要「{abilityLabels[ABILITY.audit]}」权限。需要时请联系上级开通权限。
      </Notice>
    );
  }
  return (
    <Section
      title="审计"
      aside={`最近 ${audits.length} 条`}
      more={<PageLink to={`/audit?account=${encodeURIComponent(row.account)}`}>查看全部</PageLink>}
    >
      <MiniTable label="审计" rows={audits} keyOf={({ id }) => id} none="没有对该用户的操作" columns={columns} />
    </Section>
  );
}
