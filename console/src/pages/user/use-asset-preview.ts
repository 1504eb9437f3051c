import { asset } from '@hengtai/contract/asset';
import type { AssetPreview, AssetPreviewInput } from '@hengtai/contract/asset.schema';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { useDebounced } from '../../ui/use-debounced.ts';

const TYPING_MS = 250;

export interface Preview {
  /** For exactly what is typed now; undefined while it is looked up. */
  data: AssetPreview | undefined;
  /** The answer before it, so that the dialog keeps its shape meanwhile. */
  last: AssetPreview | undefined;
  /** The most that the action can take now. */
  available: string | null | undefined;
  pending: boolean;
  /** Why it cannot be looked up. */
  trouble: string | undefined;
  retry: () => void;
}

/** Asks the server what an adjustment would post now; nothing is computed here. */
export function useAssetPreview(where: Omit<AssetPreviewInput, 'amount'>, amount: string | undefined): Preview {
  const settled = useDebounced(amount, TYPING_MS);
  const bare = useRead(asset.preview, where, { staleTime: 0 });
  const full = useRead(
    asset.preview,
    { ...where, ...(settled !== undefined && { amount: settled }) },
    {
      enabled: settled !== undefined,
      keepPrevious: true,
      staleTime: 0,
    },
  );
  const current = settled === amount && !full.isPlaceholderData ? full.data : undefined;
  const data = amount === undefined ? undefined : current;
  const failed = settled === amount ? full.error : null;
  return {
    data,
    last: amount === undefined ? undefined : full.data,
    available: data?.available ?? bare.data?.available,
    pending: amount !== undefined && data === undefined && !failed,
    trouble: failed && data === undefined ? `无法预览：${toDisplayError(failed).msg}` : undefined,
    retry: () => void full.refetch(),
  };
}
