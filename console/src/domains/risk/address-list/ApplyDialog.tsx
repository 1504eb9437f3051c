import { addressList, needsTypedCount } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import type { AddressFileFormat, AddressImport, AddressImportDetail } from '@hengtai/contract/risk/address-list/schema';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useRead } from '../../../api/hooks.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { dateText } from './dates.ts';

const FORMATS: Readonly<Record<AddressFileFormat, string>> = {
  table: '表格',
  xlsx: 'xlsx 工作表',
  json: 'JSON 列表',
  sdn: 'OFAC sdn.csv',
  sdn_comments: 'OFAC sdn_comments.csv',
  sdn_xml: 'OFAC XML',
  uk: '英国制裁名单',
  opensanctions: 'OpenSanctions',
};
const UNFINISHED = 'sdn.csv 或 sdn_comments.csv';

interface Props {
  row: AddressImport;
  onClose: () => void;
}

/** Level 2: applies a file, after showing what it adds and removes. */
export function ApplyDialog({ row: uploaded, onClose }: Props) {
  const query = useRead(addressList.detail, { id: uploaded.id }, { staleTime: 0 });
  const { data } = query;
  const { id, list, fileName, source, publishedAt, checksum, found, entries, asText, unfinished, added, removed } =
    data?.row ?? uploaded;
  const isLarge = data !== undefined && needsTypedCount({ count: data.count, removed });
  const needsChecker = useFourEyesLocked() && removed > 0;
  const consequence = `${addressLists[list]}增加 ${added} 个地址，移除 ${removed} 个，立即对未打款的提现生效。`;
  return (
    <ActionDialog
      call={addressList.apply}
      input={{ id, added, removed }}
      title={`应用名单文件：${fileName}`}
      verb="应用"
      needsChecker={needsChecker}
      query={query}
      {...(unfinished > 0 && {
        blocked: `${unfinished} 条备注不完整：请在草稿中添加 ${UNFINISHED}`,
      })}
      {...(isLarge && { challenge: { label: '请输入移除的个数以确认', expect: String(removed) } })}
      details={[
        { label: '名单', value: addressLists[list] },
        { label: '文件中的地址', value: `找到 ${found} 处，识别 ${entries} 个，未识别 0 个` },
        {
          label: '按原文保存',
          value: asText === 0 ? '没有' : `${asText} 个：没有链这样书写，只按原文比较`,
          wide: true,
        },
        { label: '文件', value: <Files files={data?.files ?? []} />, wide: true },
        { label: '来源', value: `${source}（${dateText(publishedAt)}）`, wide: true },
        { label: '文件摘要', value: checksum, wide: true },
        { label: '增加', value: <Addresses count={added} shown={data?.added ?? []} />, wide: true },
        { label: '移除', value: <Addresses count={removed} shown={data?.removed ?? []} />, wide: true },
      ]}
      consequence={needsChecker ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      successText="名单已更新"
      onClose={onClose}
    />
  );
}

function Files({ files }: Pick<AddressImportDetail, 'files'>) {
  return (
    <ul className="ht-address-list-files">
      {files.map(({ fileName, format, found, checksum }) => (
        <li key={checksum} title={checksum}>
          {fileName}：{FORMATS[format]}，找到 {found} 处
        </li>
      ))}
    </ul>
  );
}

function Addresses({ count, shown }: { count: number; shown: readonly string[] }) {
  if (count === 0) return '没有';
  return (
    <details>
      <summary>
        {count} 个{shown.length < count && `，列出前 ${shown.length} 个`}
      </summary>
      <ul className="ht-address-list-addresses">
        {shown.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </details>
  );
}
