import type { AutoWhatIf } from '@hengtai/contract/risk/auto-payout/schema';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { FormPart } from '../../../ui/form/FormPart.tsx';
import { WhatIf } from './exported/WhatIf.tsx';

interface Props {
  query: Parameters<typeof QueryPlace>[0]['query'] & { data: AutoWhatIf | undefined };
  /** Whether the result is of an earlier input. */
  isOld?: boolean;
}

/** The part of a dialog that says what would have been passed. */
export const WhatIfPart = ({ query, isOld = false }: Props) => (
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
