import { walletTransfer } from '@hengtai/contract/funds/wallet-transfer/calls';
import type { WalletTransferPreviewInput } from '@hengtai/contract/funds/wallet-transfer/schema';
import { useRead } from '../../../../api/hooks.ts';
import { useDebounced } from '../../../../ui/browser/use-debounced.ts';

const DEBOUNCE_MS = 250;

/** Loads from the server what the wallet has to give, and with an amount whether the transfer is possible. */
export function useTransferPreview(
  pair: Omit<WalletTransferPreviewInput, 'amount'> | undefined,
  amount: string | undefined,
) {
  const settled = useDebounced(amount, DEBOUNCE_MS);
  const available = useRead(walletTransfer.preview, pair, { staleTime: 0 });
  const withAmount = useRead(
    walletTransfer.preview,
    pair && settled !== undefined ? { ...pair, amount: settled } : undefined,
    { staleTime: 0 },
  );
  const isWanted = pair !== undefined && amount !== undefined;
  const data = isWanted && settled === amount ? withAmount.data : undefined;
  const hasFailed = settled === amount && withAmount.error !== null;
  return { available, data, isPending: isWanted && data === undefined && !hasFailed, hasFailed };
}
