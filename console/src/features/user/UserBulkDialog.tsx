import type { UserRow } from '@hengtai/contract/user.schema';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { AgentBulkDialog } from './AgentDialog.tsx';
import { BulkDialog } from './BulkDialog.tsx';

interface Props {
  action: 'enable' | 'disable' | 'agent';
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Renders the dialog of a bulk action. */
export function UserBulkDialog({ action, ...rest }: Props) {
  return action === 'agent' ? <AgentBulkDialog {...rest} /> : <BulkDialog to={action === 'enable' ? 1 : 0} {...rest} />;
}
