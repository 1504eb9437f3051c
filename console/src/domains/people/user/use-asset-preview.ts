import { asset } from '@hengtai/contract/funds/asset/calls';
import type { AssetPreview, AssetPreviewInput } from '@hengtai/contract/funds/asset/schema';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';

const DEBOUNCE_MS = 250;

export interface Preview {
  /** Preview of the current amount; undefined while it loads. */
  data: AssetPreview | undefined;
  /** The last loaded preview, displayed while the next one loads. */
  previousData: AssetPreview | undefined;
  /** Maximum amount of the action, decimal string. */
  available: string | null | undefined;
  pending: boolean;
  /** The error message if the preview failed. */
  problem: string | undefined;
  retry: () => void;
}

/** Loads from the server what an adjustment would post. Nothing is computed in the browser. */
export function useAssetPreview(target: Omit<AssetPreviewInput, 'amount'>, amount: string | undefined): Preview {
  const settled = useDebounced(amount, DEBOUNCE_MS);
  const withoutAmount = useRead(asset.preview, target, { staleTime: 0 });
  const withAmount = useRead(
    asset.preview,
    { ...target, ...(settled !== undefined && { amount: settled }) },
    {
      enabled: settled !== undefined,
      keepPrevious: true,
      staleTime: 0,
    },
  );
  const current = settled === amount && !withAmount.isPlaceholderData ? withAmount.data : undefined;
  const data = amount === undefined ? undefined : current;
  const failed = settled === amount ? withAmount.error : null;
  return {
    data,
    previousData: amount === undefined ? undefined : withAmount.data,
    available: data?.available ?? withoutAmount.data?.available,
    pending: amount !== undefined && data === undefined && !failed,
    problem: failed && data === undefined ? `无法预览：${toDisplayError(failed).msg}` : undefined,
    retry: () => void withAmount.refetch(),
  };
}
