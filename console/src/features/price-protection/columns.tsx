import { marketTypes } from '@hengtai/contract/market-type';
import { priceProtection, priceProtectionStates } from '@hengtai/contract/price-protection';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Money } from '../../ui/Money.tsx';
import { Time } from '../../ui/Time.tsx';
import { listColOf } from '../../ui/columns.ts';
import { WaitingMark } from '../../actions/WaitingMark.tsx';
import { Remaining } from './Remaining.tsx';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

export const priceProtectionTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'good', 2: 'warn' };

const col = listColOf<PriceProtectionView>()(priceProtection.list.list.columns);
const price = (value: string | null) => <Money value={value} digits={18} />;

export const priceProtectionColumns = [
  col('id', { width: 84, fixed: 'left', render: (_id, row) => marketIdOf(row) }),
  col('marketName', { width: 120, fixed: 'left', locked: true, render: (name) => <b>{name}</b> }),
  col('marketType', { width: 92, render: (type) => marketTypes[type] }),
  col('planState', {
    width: 150,
    render: (state, row) => (
      <span className="sh-marked">
        <StateTag state={state} labels={priceProtectionStates} tones={priceProtectionTones} />
        <WaitingMark id={marketIdOf(row)} />
      </span>
    ),
  }),
  col('price', { width: 130, align: 'right', render: price }),
  col('minPrice', { width: 120, align: 'right', render: price }),
  col('planPrice', { width: 120, align: 'right', render: price }),
  col('maxPrice', { width: 120, align: 'right', render: price }),
  col('planMinute', { width: 92, align: 'right' }),
  col('triggeredAt', { width: 172, render: (value) => <Time value={value} /> }),
  col('triggerPrice', { width: 120, align: 'right', render: price }),
  col('haltedBy', { width: 110, render: (value) => value ?? '--' }),
  col('resumeAt', { width: 150, render: (value) => <Remaining until={value} /> }),
  col('updatedBy', { width: 110, hidden: true, render: (value) => value ?? '--' }),
  col('updatedAt', { width: 172, hidden: true, render: (value) => <Time value={value} /> }),
];
