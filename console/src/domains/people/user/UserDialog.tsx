import { user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { ComponentType } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { AgentDialog } from './AgentDialog.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RemarkDialog } from '../../../actions/RemarkDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { TierDialog } from './TierDialog.tsx';
import type { UserAction } from './words.ts';

interface Props extends RecordDialogProps<UserRow> {
  onRemoved: (id: number) => void;
}

const dialogs: Readonly<Record<UserAction, ComponentType<Props>>> = {
  password: PasswordDialog,
  agent: AgentDialog,
  group: GroupDialog,
  tier: TierDialog,
  link: LinkDialog,
  remark: ({ row, onClose }) => <RemarkDialog call={user.remark} row={row} onClose={onClose} />,
  remove: RemoveDialog,
};

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function UserDialog({ action, ...props }: Props & { action: UserAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}
