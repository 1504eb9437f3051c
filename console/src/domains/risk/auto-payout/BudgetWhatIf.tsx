import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoWhatIfInput } from '@hengtai/contract/risk/auto-payout/schema';
import { useRead } from '../../../api/hooks.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';
import { WhatIfPart } from './WhatIfPart.tsx';

const DEBOUNCE_MS = 500;

/** What the budget in the form would have passed, once it is not typed in any more. */
export function BudgetWhatIf({ input }: { input: AutoWhatIfInput }) {
  const typed = JSON.stringify(input);
  const settled = useDebounced(typed, DEBOUNCE_MS);
  const query = useRead(autoPayout.whatIf, JSON.parse(settled) as AutoWhatIfInput, { keepPrevious: true });
  return <WhatIfPart query={query} isOld={settled !== typed || query.isPlaceholderData} />;
}
