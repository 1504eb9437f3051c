import { house } from '@hengtai/contract/funds/house/calls';
import type { HousePreviewInput } from '@hengtai/contract/funds/house/schema';
import { useRead } from '../../../api/hooks.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';

const DEBOUNCE_MS = 250;

/** Loads from the server what a transfer would change: the balances, and with an amount whether it is possible. */
export function useTransferPreview(places: Omit<HousePreviewInput, 'amount'>, amount: string | undefined) {
  const settled = useDebounced(amount, DEBOUNCE_MS);
  const balances = useRead(house.preview, places, { staleTime: 0 });
  const withAmount = useRead(house.preview, settled === undefined ? undefined : { ...places, amount: settled }, {
    staleTime: 0,
  });
  const data = amount !== undefined && settled === amount ? withAmount.data : undefined;
  const hasFailed = settled === amount && withAmount.error !== null;
  return { balances, data, isPending: amount !== undefined && data === undefined && !hasFailed, hasFailed };
}
