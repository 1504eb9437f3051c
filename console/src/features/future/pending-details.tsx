import type { FutureCancelPreview } from '@hengtai/contract/future.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import type { DetailItem } from '../../ui/ConfirmDialog.tsx';
import { Money } from '../../ui/Money.tsx';

/** What the pending orders of a market hold. Demo orders hold no money and are counted apart. */
export const pendingDetails = (counts: FutureCancelPreview | undefined): readonly DetailItem[] => [
  { label: '其中模拟', value: counts ? `${counts.demoOrders} 条` : '--' },
  { label: '撤销后释放保证金', value: <Money value={counts?.held} unit={SETTLEMENT} /> },
];
