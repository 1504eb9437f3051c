import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import type { ComponentType } from 'react';
import type { RecordDialogProps } from '../../actions/record-dialog.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { OtpResetDialog } from './OtpResetDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RemarkDialog } from '../../actions/RemarkDialog.tsx';
import { STALE } from './actions.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { StateDialog } from './StateDialog.tsx';
import type { AgentAction } from './words.ts';

interface Props extends RecordDialogProps<AgentRow> {
  action: AgentAction;
  onRemoved: (id: number) => void;
}

const dialogs: Readonly<Record<Exclude<AgentAction, 'remove'>, ComponentType<RecordDialogProps<AgentRow>>>> = {
  password: PasswordDialog,
  otp: OtpResetDialog,
  remark: (props) => <RemarkDialog call={agent.remark} invalidate={STALE} {...props} />,
  parent: MoveDialog,
  state: StateDialog,
};

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function AgentDialog({ action, row, onClose, onRemoved }: Props) {
  if (action !== 'remove') {
    const Dialog = dialogs[action];
    return <Dialog row={row} onClose={onClose} />;
  }
  const onDone = () => {
    onClose();
    onRemoved(row.id);
  };
  return <RemoveDialog row={row} onClose={onClose} onDone={onDone} />;
}
