import { HaltDialog } from './HaltDialog.tsx';
import { PermitDialog } from './PermitDialog.tsx';
import { ResumeDialog } from './ResumeDialog.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import type { PriceProtectionView } from './price-protection-row.ts';

export type PriceProtectionAction = 'save' | 'halt' | 'resume' | 'permit';

interface Props {
  action: PriceProtectionAction;
  row: PriceProtectionView;
  onClose: () => void;
}

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function PriceProtectionDialog({ action, row, onClose }: Props) {
  switch (action) {
    case 'save':
      return <SaveDialog row={row} onClose={onClose} />;
    case 'halt':
      return <HaltDialog row={row} onClose={onClose} />;
    case 'resume':
      return <ResumeDialog row={row} onClose={onClose} />;
    default:
      return <PermitDialog row={row} onClose={onClose} />;
  }
}
