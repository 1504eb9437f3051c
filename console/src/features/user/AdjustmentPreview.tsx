import { ASSET, type AssetAction } from '@hengtai/contract/asset';
import { Button } from 'antd';
import { LedgerLines } from '../../ui/LedgerLines.tsx';
import { Money } from '../../ui/Money.tsx';
import { availableLabels } from './asset-words.ts';
import type { Preview } from './use-asset-preview.ts';

interface Props {
  action: AssetAction;
  coin: string;
  preview: Preview;
}

/** The available amount and the ledger lines that the adjustment would post, computed by the server. */
export function AdjustmentPreview({ action, coin, preview }: Props) {
  const { data, last, available, problem } = preview;
  const displayed = data ?? last;
  return (
    <section className="as-preview" aria-label="记账预览" aria-busy={preview.pending} data-stale={data === undefined}>
      <h4>
        记账预览
        {action !== ASSET.activeAdd && (
          <span className="ht-aside">
            {availableLabels[action]} <Money value={available} unit={coin} digits={18} />
          </span>
        )}
      </h4>
      {problem !== undefined ? (
        <p className="ht-warn-text" role="alert">
          {problem}{' '}
          <Button type="link" size="small" onClick={preview.retry}>
            重试
          </Button>
        </p>
      ) : displayed?.refusal ? (
        <p className="as-refusal" role="status">
          {displayed.refusal}
        </p>
      ) : displayed && displayed.lines.length > 0 ? (
        <LedgerLines title="将要记账" lines={displayed.lines} before />
      ) : (
        <p className="ht-faint">输入数量后显示将要写入账本的每一行。</p>
      )}
    </section>
  );
}
