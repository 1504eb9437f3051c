import { ASSET, type AssetAction } from '@hengtai/contract/asset';
import { Button } from 'antd';
import { LedgerLines } from '../../ui/LedgerLines.tsx';
import { Money } from '../../ui/Money.tsx';
import { availableWords } from './asset-words.ts';
import type { Preview } from './use-asset-preview.ts';

interface Props {
  action: AssetAction;
  coin: string;
  preview: Preview;
}

/** What there is to be taken, and the ledger rows that will be posted, as the server has just said. */
export function AdjustmentPreview({ action, coin, preview }: Props) {
  const { data, last, available, trouble } = preview;
  const shown = data ?? last;
  return (
    <section className="as-preview" aria-label="记账预览" aria-busy={preview.pending} data-stale={data === undefined}>
      <h4>
        记账预览
        {action !== ASSET.activeAdd && (
          <span className="ht-aside">
            {availableWords[action]} <Money value={available} unit={coin} digits={18} />
          </span>
        )}
      </h4>
      {trouble !== undefined ? (
        <p className="ht-warn-text" role="alert">
          {trouble}{' '}
          <Button type="link" size="small" onClick={preview.retry}>
            重试
          </Button>
        </p>
      ) : shown?.refusal ? (
        <p className="as-refusal" role="status">
          {shown.refusal}
        </p>
      ) : shown && shown.lines.length > 0 ? (
        <LedgerLines title="将要记账" lines={shown.lines} before />
      ) : (
        <p className="ht-faint">输入数量后显示将要写入账本的每一行。</p>
      )}
    </section>
  );
}
