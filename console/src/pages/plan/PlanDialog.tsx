import { HaltDialog } from './HaltDialog.tsx';
import { PermitDialog } from './PermitDialog.tsx';
import { ResumeDialog } from './ResumeDialog.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import type { ShownPlan } from './plan-row.ts';

export type PlanDeed = 'save' | 'halt' | 'resume' | 'permit';

interface Props {
  deed: PlanDeed;
  row: ShownPlan;
  onClose: () => void;
}

/** The dialog of a deed; mounted is open. */
export function PlanDialog({ deed, row, onClose }: Props) {
  switch (deed) {
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
