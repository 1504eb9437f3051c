import { SETTLEMENT } from '@hengtai/contract/values/money';
import type { SpotPreview } from '@hengtai/contract/trading/spot/schema';
import type { DetailItem } from '../../../ui/dialog/ConfirmDialog.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { priceDetails } from '../../../ui/value/price-details.tsx';

/** What the open orders of a market hold. */
export const heldDetails = (counts: SpotPreview | undefined): readonly DetailItem[] => [
  { label: '买单冻结', value: <Money value={counts?.buying} unit={counts?.quoteName ?? SETTLEMENT} /> },
  { label: '卖单冻结', value: <Money value={counts?.selling} {...(counts && { unit: counts.coinName })} /> },
  { label: '估值', value: <Money value={counts?.valuation} unit={SETTLEMENT} digits={2} shortened /> },
  ...priceDetails(counts),
];
