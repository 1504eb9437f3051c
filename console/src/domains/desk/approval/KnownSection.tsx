import { approval } from '@hengtai/contract/desk/approval/calls';
import { approvalActions } from '@hengtai/contract/desk/approval/facts';
import type { OtherOperator } from '@hengtai/contract/desk/approval/schema';
import { Input } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { useRead } from '../../../api/hooks.ts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';
import { controlText } from './four-eyes-words.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

const SEARCH_MS = 300;
const EVERY_MS = 15_000;

const columnsFor = (ownId: number, onAsk: (row: OtherOperator) => void): readonly MiniColumn<OtherOperator>[] => [
  { title: '账号', cell: ({ account }) => operatorCell(account) },
  { title: '记录', cell: ({ records }) => controlText(records) },
  {
    title: '操作',
    cell: (row) => (
      <GreyedAction disabledReason={row.id === ownId ? '不能为自己确认' : undefined} onClick={() => onAsk(row)}>
        认识此人
      </GreyedAction>
    ),
  },
];

/** Operators with something on record, who cannot check those who made them until another person confirms to know them. */
export function KnownSection({ ownId }: { ownId: number }) {
  const [text, setText] = useState('');
  const [asking, setAsking] = useState<OtherOperator>();
  const search = useDebounced(text.trim(), SEARCH_MS);
  const query = useRead(
    approval.operators,
    { recorded: 1, ...(search !== '' && { search }) },
    { keepPrevious: true, refetchMs: EVERY_MS },
  );
  const { data } = query;
  const columns = columnsFor(ownId, setAsking);
  if (search === '' && (data?.total ?? 0) === 0 && !query.error) return null;
  return (
    <Section title="尚未确认认识的操作员" aside={data && `共 ${data.total} 名`}>
      <p className="ht-approval-standing">
        他们与创建、授权或重置他们的人不能互相复核。由记录之外的复核员确认认识此人后解除。
      </p>
      <Input
        aria-label="搜索账号"
        placeholder="搜索账号"
        allowClear
        value={text}
        maxLength={64}
        onChange={({ target }) => setText(target.value)}
      />
      {data ? (
        <MiniTable
          label="尚未确认认识的操作员"
          rows={data.list}
          keyOf={({ id }) => id}
          empty="没有"
          columns={columns}
        />
      ) : (
        <QueryPlace query={query} isSmall>
          加载中
        </QueryPlace>
      )}
      {asking && (
        <ActionDialog
          call={approval.known}
          input={{ id: asking.id }}
          verb={SUBMIT}
          title={`${approvalActions.known.summary}：${asking.account}`}
          details={[
            { label: '操作员', value: asking.account },
            { label: '记录', value: controlText(asking.records), wide: true },
          ]}
          consequence="另一位与记录中的人无关的复核员通过后，此人与他们视为相互独立，可以互相复核。"
          onClose={() => setAsking(undefined)}
        />
      )}
    </Section>
  );
}
