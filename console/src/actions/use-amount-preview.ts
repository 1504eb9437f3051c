import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { useRead } from '../api/hooks.ts';
import { useDebounced } from '../ui/browser/use-debounced.ts';

const DEBOUNCE_MS = 250;

/** Loads from the server what is known before there is an amount (`without`), and what an action would do with one (`data`). */
export function useAmountPreview<C extends CallSpec>(
  call: C,
  place: Omit<InputOf<C>, 'amount'> | undefined,
  amount: string | undefined,
) {
  const settled = useDebounced(amount, DEBOUNCE_MS);
  // The amount of a preview is optional, which TypeScript cannot know of any call.
  const withoutInput = place as InputOf<C> | undefined;
  const withInput = place && settled !== undefined ? ({ ...place, amount: settled } as InputOf<C>) : undefined;
  const without = useRead(call, withoutInput, { staleTime: 0 });
  const withAmount = useRead(call, withInput, { staleTime: 0 });
  const isWanted = place !== undefined && amount !== undefined;
  const data: OutputOf<C> | undefined = isWanted && settled === amount ? withAmount.data : undefined;
  const hasFailed = settled === amount && withAmount.error !== null;
  return { without, data, isPending: isWanted && data === undefined && !hasFailed, hasFailed };
}
