import { Button } from 'antd';
import { LedgerLines } from '../../../records/LedgerLines.tsx';
import type { Preview } from './use-asset-preview.ts';

interface Props {
  preview: Preview;
}

/** The ledger lines that the adjustment would post, computed by the server. */
export function AdjustmentPreview({ preview }: Props) {
  const { data, previousData, problem } = preview;
  const displayed = data ?? previousData;
  return (
    <section
      className="ht-user-asset-preview"
      aria-label="记账预览"
      aria-busy={preview.pending}
      data-stale={data === undefined}
    >
      <h4>记账预览</h4>
      {problem !== undefined ? (
        <p className="ht-value-warn" role="alert">
          {problem}{' '}
          <Button type="link" size="small" onClick={preview.retry}>
            重试
          </Button>
        </p>
      ) : displayed?.refusal ? (
        <p className="ht-user-asset-refusal" role="status">
          {displayed.refusal}
        </p>
      ) : displayed && displayed.lines.length > 0 ? (
        <LedgerLines title="将要记账" lines={displayed.lines} showBefore />
      ) : (
        <p className="ht-value-faint">输入数量后显示将要写入账本的每一行。</p>
      )}
    </section>
  );
}
