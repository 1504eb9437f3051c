import type { ComponentType } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { HaltDialog } from './HaltDialog.tsx';
import { PermitDialog } from './PermitDialog.tsx';
import { ResumeDialog } from './ResumeDialog.tsx';
import { SaveDialog } from './SaveDialog.tsx';
import type { PriceProtectionView } from './price-protection-row.ts';

type Props = RecordDialogProps<PriceProtectionView>;

const dialogs = {
  save: SaveDialog,
  halt: HaltDialog,
  resume: ResumeDialog,
  permit: PermitDialog,
} satisfies Record<string, ComponentType<Props>>;
export type PriceProtectionAction = keyof typeof dialogs;

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function PriceProtectionDialog({ action, ...props }: Props & { action: PriceProtectionAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}
