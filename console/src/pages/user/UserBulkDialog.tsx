import type { UserRow } from '@hengtai/contract/user.schema';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { AgentBulkDialog } from './AgentDialog.tsx';
import { BulkDialog } from './BulkDialog.tsx';

interface Props {
  many: 'enable' | 'disable' | 'agent';
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** The dialog of an action that is done to many users at once. */
export function UserBulkDialog({ many, ...rest }: Props) {
  return many === 'agent' ? <AgentBulkDialog {...rest} /> : <BulkDialog to={many === 'enable' ? 1 : 0} {...rest} />;
}
