import { HaltDialog } from './HaltDialog.tsx';
import { PermitDialog } from './PermitDialog.tsx';
import { ResumeDialog } from './ResumeDialog.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import type { PlanView } from './plan-row.ts';

export type PlanAction = 'save' | 'halt' | 'resume' | 'permit';

interface Props {
  action: PlanAction;
  row: PlanView;
  onClose: () => void;
}

/** The dialog of an action; mounted is open. */
export function PlanDialog({ action, row, onClose }: Props) {
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
