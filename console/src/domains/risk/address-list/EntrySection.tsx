import { addressList } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import { entryMemoText } from '@hengtai/contract/risk/address-list/memo';
import type { AddressEntry } from '@hengtai/contract/risk/address-list/schema';
import { Input, Segmented } from 'antd';
import { useState } from 'react';
import { WaitingMark, WaitingMarks } from '../../../actions/WaitingMark.tsx';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';

const OPTIONS = Object.entries(addressLists).map(([value, label]) => ({ value: Number(value), label }));
const SEARCH_MS = 300;

/** The addresses of one list, latest first, and a search. */
export function EntrySection({ onRemove }: { onRemove: (row: AddressEntry) => void }) {
  const [list, setList] = useState<AddressEntry['list']>(1);
  const [text, setText] = useState('');
  const searched = useDebounced(text.trim(), SEARCH_MS);
  const { data, error, refetch } = useRead(addressList.entries, {
    list,
    ...(searched !== '' && { text: searched }),
  });
  const rows = data?.list ?? [];
  return (
    <Section
      title="地址"
      aside={data && (rows.length < data.total ? `最近 ${rows.length} 个，共 ${data.total} 个` : `${data.total} 个`)}
    >
      <div className="ht-address-list-tools">
        <Segmented
          aria-label="名单"
          value={list}
          options={OPTIONS}
          onChange={(value) => setList(value as AddressEntry['list'])}
        />
        <Input
          aria-label="搜索地址、备注或原因"
          placeholder="搜索地址、备注或原因"
          allowClear
          value={text}
          maxLength={256}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {error ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : data && rows.length === 0 ? (
        <p className="ht-page-empty">
          {searched === '' ? `${addressLists[list]}中没有地址。可逐个加入，或导入文件。` : '没有符合的地址。'}
        </p>
      ) : (
        <WaitingMarks targetType="addressList" ids={rows.map(({ id }) => id)}>
          <PageTable label="名单中的地址" titles={['地址', '网络', '备注', '原因', '来源', '失效时间', '加入', '操作']}>
            {rows.map((row) => (
              <EntryLine key={row.id} row={row} onRemove={() => onRemove(row)} />
            ))}
          </PageTable>
        </WaitingMarks>
      )}
    </Section>
  );
}

const EntryLine = ({ row, onRemove }: { row: AddressEntry; onRemove: () => void }) => (
  <tr>
    <th scope="row">
      <Hash full value={row.address} label="地址" />
      <WaitingMark id={row.id} />
    </th>
    <td>{row.network || '全部'}</td>
    <td>{entryMemoText(row) || '--'}</td>
    <td>{row.reason || '--'}</td>
    <td>{row.source || '人工加入'}</td>
    <td>{row.expiresAt === null ? '长期' : <Time value={row.expiresAt} near />}</td>
    <td>
      <Time value={row.createdAt} near />
      <span className="ht-table-page-note">{operatorCell(row.by)}</span>
    </td>
    <td>
      <GreyedAction danger onClick={onRemove}>
        移出
      </GreyedAction>
    </td>
  </tr>
);
