import { market } from '@hengtai/contract/trading/market/calls';
import { marketStates } from '@hengtai/contract/trading/market/facts';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { AffectedBusiness } from './AffectedBusiness.tsx';
import { Changes } from './Changes.tsx';
import { type Values, changesOf, toSaveInput } from './form-values.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  row: MarketRow | undefined;
  before: Values;
  values: Values;
  onClose: () => void;
  /** Receives the id of the market; undefined if a new market was submitted for approval. */
  onSaved: (id: number | undefined) => void;
}

const REASONS = ['调整费率', '调整限额', '网络维护', '上新', '下架'] as const;

/** Level 2: saves a market. Lists the changes and the open business. */
export function SaveDialog({ row, before, values, onClose, onSaved }: Props) {
  const changes = changesOf(before, values);
  const disablesBusiness =
    row !== undefined &&
    (values.state !== 1 ||
      ['spot', 'future', 'second', 'rechargeState', 'withdrawState'].some(
        (field) => before[field as 'spot'] && !values[field as 'spot'],
      ));

  return (
    <ActionDialog
      call={market.save}
      input={toSaveInput(values, row)}
      onDone={(outcome) => onSaved(outcome.kind === 'done' ? outcome.data.id : row?.id)}
      title={row ? `保存市场 ${row.marketName}` : `新增市场 ${values.marketName.trim()}`}
      verb={row ? '保存' : '新增'}
      width={640}
      details={row ? [] : [{ label: '状态', value: marketStates[values.state] }]}
      consequence={
        row
          ? `保存后立即生效并通知交易平台。${disablesBusiness ? '关闭的业务不再接受新请求，进行中的不受影响。' : ''}`
          : '新增后立即通知交易平台；收到第一笔行情之前没有价格。'
      }
      reason={{ chips: REASONS }}
      stateText={(state) => marketStates[state as keyof typeof marketStates]}
      onClose={onClose}
    >
      {row && <Changes changes={changes} />}
      {row && <AffectedBusiness id={row.id} />}
      <GuardNote call="market.save" />
    </ActionDialog>
  );
}
