import './address-list.css';
import { addressList } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import type { AddressEntry, AddressImport, AddressOverview } from '@hengtai/contract/risk/address-list/schema';
import { useState } from 'react';
import { WaitingMark, WaitingMarks } from '../../../actions/WaitingMark.tsx';
import { useRead } from '../../../api/hooks.ts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { PageError } from '../../../navigation/PageError.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { AddDialog } from './AddDialog.tsx';
import { ApplyDialog } from './ApplyDialog.tsx';
import { EntrySection } from './EntrySection.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { dateText } from './dates.ts';
import { UploadDialog } from './UploadDialog.tsx';

type Dialog =
  | { kind: 'add' }
  | { kind: 'upload'; draft?: AddressImport }
  | { kind: 'apply'; row: AddressImport }
  | { kind: 'remove'; row: AddressEntry };

/** 地址名单: blocked, allowed and sanctioned addresses, and the files that change them. */
export function AddressListPage() {
  const { data, error, refetch } = useRead(addressList.list, {});
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  if (!data)
    return error ? <PageError error={error} onRetry={() => void refetch()} /> : <PageSkeleton shape="settings" />;
  return (
    <div className="ht-address-list-page">
      <PageHeading
        title="地址名单"
        note="黑名单和制裁名单中的地址不能打款；白名单中的地址在期限内不需要筛查，命中时仍会拦下"
      >
        <GreyedAction look="button" onClick={() => setDialog({ kind: 'upload' })}>
          导入文件
        </GreyedAction>
        <GreyedAction look="button" primary onClick={() => setDialog({ kind: 'add' })}>
          加入名单
        </GreyedAction>
      </PageHeading>
      <Lists data={data} />
      <Drafts
        drafts={data.drafts}
        onAdd={(draft) => setDialog({ kind: 'upload', draft })}
        onApply={(row) => setDialog({ kind: 'apply', row })}
      />
      <EntrySection onRemove={(row) => setDialog({ kind: 'remove', row })} />
      {dialog?.kind === 'add' && <AddDialog onClose={close} />}
      {dialog?.kind === 'upload' && (
        <UploadDialog draft={dialog.draft} onUploaded={(row) => setDialog({ kind: 'apply', row })} onClose={close} />
      )}
      {dialog?.kind === 'apply' && <ApplyDialog row={dialog.row} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveDialog row={dialog.row} onClose={close} />}
    </div>
  );
}

const Lists = ({ data: { lists } }: { data: AddressOverview }) => (
  <Section title="名单">
    <PageTable label="名单" titles={['名单', '地址数', '最近导入的文件', '发布日期', '文件摘要', '导入时间']}>
      {lists.map(({ list, count, last }) => (
        <tr key={list}>
          <th scope="row">{addressLists[list]}</th>
          <td>{count}</td>
          <td>{last ? `${last.source}（${last.fileName}）` : '没有导入过文件'}</td>
          <td>{last ? dateText(last.publishedAt) : '--'}</td>
          <td>{last ? <Hash value={last.checksum} label="文件摘要" /> : '--'}</td>
          <td>{last?.appliedAt ? <Time value={last.appliedAt} near /> : '--'}</td>
        </tr>
      ))}
    </PageTable>
  </Section>
);

interface DraftsProps {
  drafts: readonly AddressImport[];
  onAdd: (row: AddressImport) => void;
  onApply: (row: AddressImport) => void;
}

function Drafts({ drafts, onAdd, onApply }: DraftsProps) {
  if (drafts.length === 0) return null;
  return (
    <Section title="待应用的文件" aside="应用之前不影响任何提现">
      <WaitingMarks targetType="addressImport" ids={drafts.map(({ id }) => id)}>
        <PageTable label="待应用的文件" titles={['文件', '名单', '来源', '增加', '移除', '上传', '操作']}>
          {drafts.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.fileName}
                {row.unfinished > 0 && <span className="ht-table-page-note">不完整：还缺 OFAC 备注的另一半</span>}
                <WaitingMark id={row.id} />
              </th>
              <td>{addressLists[row.list]}</td>
              <td>
                {row.source}
                <span className="ht-table-page-note">{dateText(row.publishedAt)}</span>
              </td>
              <td>{row.added}</td>
              <td>{row.removed}</td>
              <td>
                <Time value={row.createdAt} near />
                <span className="ht-table-page-note">{operatorCell(row.by)}</span>
              </td>
              <td>
                <GreyedAction onClick={() => onApply(row)}>查看并应用</GreyedAction>
                <GreyedAction onClick={() => onAdd(row)}>添加文件</GreyedAction>
              </td>
            </tr>
          ))}
        </PageTable>
      </WaitingMarks>
    </Section>
  );
}
