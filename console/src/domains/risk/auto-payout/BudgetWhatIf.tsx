import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoWhatIfInput } from '@hengtai/contract/risk/auto-payout/schema';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { useRead } from '../../../api/hooks.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';
import { FormPart } from '../../../ui/form/FormPart.tsx';
import { WhatIf } from './exported/WhatIf.tsx';

const DEBOUNCE_MS = 500;

/** What the budget in the form would have passed, once it is not typed in any more. */
export function BudgetWhatIf({ input }: { input: AutoWhatIfInput }) {
  const typed = JSON.stringify(input);
  const settled = useDebounced(typed, DEBOUNCE_MS);
  const query = useRead(autoPayout.whatIf, JSON.parse(settled) as AutoWhatIfInput, { keepPrevious: true });
  const isOld = settled !== typed || query.isPlaceholderData;
  return (
    <FormPart title={isOld && query.data ? '额度推算（正在重新推算…）' : '额度推算'}>
      {query.data && !query.error ? (
        <WhatIf result={query.data} />
      ) : (
        <QueryPlace query={query} isSmall>
          <p className="ht-value-faint" role="status">
            正在推算…
          </p>
        </QueryPlace>
      )}
    </FormPart>
  );
}
