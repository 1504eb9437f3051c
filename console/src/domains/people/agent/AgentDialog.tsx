import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { ComponentType } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { OidcDialog } from './OidcDialog.tsx';
import { OtpResetDialog } from './OtpResetDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RemarkDialog } from '../../../actions/RemarkDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { StateDialog } from './StateDialog.tsx';
import type { AgentAction } from './words.ts';

interface Props extends RecordDialogProps<AgentRow> {
  onRemoved: (id: number) => void;
}

const dialogs: Readonly<Record<AgentAction, ComponentType<Props>>> = {
  password: PasswordDialog,
  otp: OtpResetDialog,
  oidc: OidcDialog,
  remark: ({ row, onClose }) => <RemarkDialog call={agent.remark} row={row} onClose={onClose} />,
  parent: MoveDialog,
  state: StateDialog,
  remove: RemoveDialog,
};

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function AgentDialog({ action, ...props }: Props & { action: AgentAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}
