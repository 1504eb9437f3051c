import type { LedgerLine, WithdrawDetail } from '@hengtai/contract/withdraw.schema';
import { LedgerLines } from '../../ui/LedgerLines.tsx';

/** The ledger lines that each decision would post. */
export function LedgerPreview({ preview }: Pick<WithdrawDetail, 'preview'>) {
  if (preview.pass.length + preview.reject.length === 0) return <p className="ht-faint">当前状态不会再记账</p>;
  return (
    <div className="ht-review-previews">
      <Lines title="通过并打款后" lines={preview.pass} />
      <Lines title="驳回后" lines={preview.reject} />
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly LedgerLine[] }) {
  return (
    <div>
      <h4 className="ht-faint">{title}</h4>
      <LedgerLines title={title} lines={lines} />
    </div>
  );
}
