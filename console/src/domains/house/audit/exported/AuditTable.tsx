import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { actionText, auditResults, otherActor } from '@hengtai/contract/house/audit/calls';
import type { AuditRow } from '@hengtai/contract/house/audit/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { operatorCell } from '../../../../navigation/account-cells.tsx';
import { Hash } from '../../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../../ui/table/MiniTable.tsx';
import { Section, latestText } from '../../../../ui/page/Section.tsx';
import { StateTag, type Tone } from '../../../../ui/value/StateTag.tsx';
import { Time } from '../../../../ui/value/Time.tsx';
import { StateMessage } from '../../../../ui/table/list-states.tsx';
import { PageLink } from '../../../../navigation/PageLink.tsx';

const results: Readonly<Record<number, string>> = auditResults;
const tones: Readonly<Record<number, Tone>> = {
  [CODE.ok]: 'good',
  [CODE.submitted]: 'run',
  [CODE.forbidden]: 'bad',
  [CODE.fresh]: 'wait',
  [CODE.conflict]: 'wait',
};

const clip = (text: string) => (
  <span className="ht-value-clip" title={text}>
    {text}
  </span>
);

const columns: readonly MiniColumn<AuditRow>[] = [
  { title: '时间', cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: '操作员',
    cell: ({ operator, action }) => (operator === null ? otherActor(action) : operatorCell(operator)),
  },
  { title: '操作', cell: ({ action }) => <span title={action}>{actionText(action)}</span> },
  {
    title: '结果',
    cell: ({ result }) => (
      <StateTag state={result} labels={{ [result]: results[result] ?? String(result) }} tones={tones} />
    ),
  },
  { title: '原因', cell: ({ reason }) => clip(reason || '--') },
  { title: 'IP', cell: ({ ip }) => ip || '--' },
  { title: '请求编号', cell: ({ requestId }) => <Hash value={requestId} label="请求编号" /> },
];

interface Props {
  audits: readonly AuditRow[];
  /** Whether the operator may read the audit log. */
  canRead: boolean;
  /** Text if there are no rows. */
  none: string;
  /** Address of the audit log with all rows. */
  allPath: string;
}

/** The latest audit rows of one record; requires the ability to read the audit log. */
export function AuditTable({ audits, canRead, none, allPath }: Props) {
  if (!canRead) {
    return (
      <StateMessage mark="forbidden" title="没有权限查看">
        需要「{abilityLabels[ABILITY.audit]}」权限。需要时请联系上级开通权限。
      </StateMessage>
    );
  }
  return (
    <Section title="审计" aside={latestText(audits.length, '条')} more={<PageLink to={allPath}>查看全部</PageLink>}>
      <MiniTable label="审计" rows={audits} keyOf={({ id }) => id} empty={none} columns={columns} />
    </Section>
  );
}
