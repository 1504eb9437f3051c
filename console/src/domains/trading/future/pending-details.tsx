import type { FutureCancelPreview } from '@hengtai/contract/trading/future/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { DetailItem } from '../../../ui/dialog/ConfirmDialog.tsx';
import { Money } from '../../../ui/value/Money.tsx';

/** What the pending orders of a market hold. Demo orders hold no money and are counted apart. */
export const pendingDetails = (counts: FutureCancelPreview | undefined): readonly DetailItem[] => [
  { label: '其中模拟', value: counts ? `${counts.demoOrders} 条` : '--' },
  { label: '撤销后释放保证金', value: <Money value={counts?.held} unit={SETTLEMENT} /> },
];
