import type { ConfirmDialogProps } from '../ui/dialog/ConfirmDialog.tsx';

/** What the confirmation of a request repeats of its record. */
export type RecordEssentials = Pick<ConfirmDialogProps, 'amounts' | 'address' | 'details'>;
