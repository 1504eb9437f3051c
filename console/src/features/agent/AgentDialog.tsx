import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { MoveDialog } from './MoveDialog.tsx';
import { OtpResetDialog } from './OtpResetDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { RemarkDialog } from '../../actions/RemarkDialog.tsx';
import { STALE } from './actions.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { StateDialog } from './StateDialog.tsx';
import type { AgentAction } from './words.ts';

interface Props {
  action: AgentAction;
  row: AgentRow;
  onClose: () => void;
  onRemoved: (id: number) => void;
}

/** Renders the dialog of an action. It is open as long as it is mounted. */
export function AgentDialog({ action, row, onClose, onRemoved }: Props) {
  switch (action) {
    case 'password':
      return <PasswordDialog row={row} onClose={onClose} />;
    case 'otp':
      return <OtpResetDialog row={row} onClose={onClose} />;
    case 'remark':
      return <RemarkDialog call={agent.remark} invalidate={STALE} row={row} onClose={onClose} />;
    case 'parent':
      return <MoveDialog row={row} onClose={onClose} />;
    case 'state':
      return <StateDialog row={row} onClose={onClose} />;
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
