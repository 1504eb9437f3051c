import { useState } from 'react';
import { BulkDialog, type BulkDialogProps } from '../../../actions/BulkDialog.tsx';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { type Outcome, PayoutOutcome, RESOLVE_REASONS, findMissingText, toInput } from './PayoutOutcome.tsx';

/** Level 3: resolves several payouts that all had the same outcome; one transaction can have paid them all. */
export function ResolveManyDialog(props: BulkDialogProps<WithdrawRow>) {
  const [outcome, setOutcome] = useState<Outcome>({ txHash: '' });
  return (
    <BulkDialog {...props} input={toInput(outcome)} blocked={findMissingText(outcome)} reasons={RESOLVE_REASONS}>
      <PayoutOutcome value={outcome} onChange={setOutcome} />
    </BulkDialog>
  );
}
