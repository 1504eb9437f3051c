import { marketTypes } from '@hengtai/contract/trading/market/type';
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { PRICE_PROTECTION, priceProtectionStates } from '@hengtai/contract/risk/price-protection/facts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { timeCell } from '../../../ui/table/list-cells.tsx';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { Remaining } from './Remaining.tsx';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

export const priceProtectionTones: Readonly<Record<number, Tone>> = {
  [PRICE_PROTECTION.watching]: 'good',
  [PRICE_PROTECTION.halted]: 'warn',
};

const col = listColOf<PriceProtectionView>()(priceProtection.list.list.columns);
const price = (value: string | null) => <Money value={value} />;

export const priceProtectionColumns = [
  col('id', { width: 60, fixed: 'left', render: (_id, row) => marketIdOf(row) }),
  col('marketName', { width: 92, fixed: 'left', locked: true, render: (name) => <b>{name}</b> }),
  col('marketType', { width: 92, under: 'marketName', render: (type) => marketTypes[type] }),
  col('planState', {
    width: 116,
    render: (state, row) => (
      <span className="ht-actions-marked">
        <StateTag state={state} labels={priceProtectionStates} tones={priceProtectionTones} />
        <WaitingMark id={marketIdOf(row)} />
      </span>
    ),
  }),
  col('price', { width: 116, align: 'right', render: price }),
  col('minPrice', { width: 112, align: 'right', render: price }),
  col('planPrice', { width: 112, align: 'right', render: price }),
  col('maxPrice', { width: 120, under: 'minPrice', align: 'right', render: price }),
  col('planMinute', { width: 92, under: 'planPrice', align: 'right' }),
  col('triggeredAt', { width: 100, render: timeCell }),
  col('triggerPrice', { width: 120, under: 'triggeredAt', align: 'right', render: price }),
  col('haltedBy', { width: 130, drawer: true, render: operatorCell }),
  col('resumeAt', { width: 150, under: 'planState', render: (value) => <Remaining until={value} /> }),
  col('updatedBy', { width: 130, hidden: true, render: operatorCell }),
  col('updatedAt', { width: 104, hidden: true, render: timeCell }),
];
