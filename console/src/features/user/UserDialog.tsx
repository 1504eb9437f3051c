import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { AgentDialog } from './AgentDialog.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RemarkDialog } from '../../actions/RemarkDialog.tsx';
import { STALE } from './actions.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { TierDialog } from './TierDialog.tsx';
import type { UserAction } from './words.ts';

interface Props {
  action: UserAction;
  row: UserRow;
  onClose: () => void;
  onRemoved: (id: number) => void;
}

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function UserDialog({ action, row, onClose, onRemoved }: Props) {
  switch (action) {
    case 'password':
      return <PasswordDialog row={row} onClose={onClose} />;
    case 'agent':
      return <AgentDialog row={row} onClose={onClose} />;
    case 'tier':
      return <TierDialog row={row} onClose={onClose} />;
    case 'link':
      return <LinkDialog row={row} onClose={onClose} />;
    case 'remark':
      return <RemarkDialog call={user.remark} invalidate={STALE} row={row} onClose={onClose} />;
    default:
      return (
        <RemoveDialog
          row={row}
          onClose={onClose}
          onDone={() => {
            onClose();
            onRemoved(row.id);
          }}
        />
      );
  }
}
