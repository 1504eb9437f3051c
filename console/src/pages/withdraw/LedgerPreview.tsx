import { bucketLabels, entryLabels, platformLabels } from '@hengtai/contract/money';
import type { LedgerLine, WithdrawDetail } from '@hengtai/contract/withdraw.schema';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';

const words = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);

/** Account type and bucket; accounts of the house have none worth telling. */
const placeOf = ({ platform, bucket }: LedgerLine): string =>
  Object.hasOwn(platformLabels, platform)
    ? `${words(platformLabels, platform)}·${words(bucketLabels, bucket)}`
    : '平台';

const lineColumns: readonly MiniColumn<LedgerLine>[] = [
  { title: '账户', cell: ({ owner }) => owner },
  { title: '类别', cell: placeOf },
  { title: '类型', cell: ({ type }) => words(entryLabels, type) },
  { title: '变动', right: true, cell: ({ amount }) => <Money value={amount} sign digits={18} /> },
  { title: '变动后', right: true, cell: ({ balance }) => <Money value={balance} digits={18} /> },
];

/** The ledger rows that each decision will post. */
export function LedgerPreview({ preview }: Pick<WithdrawDetail, 'preview'>) {
  if (preview.pass.length + preview.reject.length === 0) return <p className="ht-faint">当前状态不会再记账</p>;
  return (
    <div className="wd-previews">
      <Lines title="通过并打款后" lines={preview.pass} />
      <Lines title="驳回后" lines={preview.reject} />
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly LedgerLine[] }) {
  return (
    <div>
      <h4 className="ht-faint">{title}</h4>
      <MiniTable label={title} rows={lines} keyOf={(_line, index) => index} none="不记账" columns={lineColumns} />
    </div>
  );
}
