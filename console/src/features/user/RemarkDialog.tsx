import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { useAction } from '../../api/hooks.ts';
import { RemarkEditor } from '../../actions/RemarkEditor.tsx';
import { STALE } from './actions.ts';

interface Props {
  row: UserRow;
  onClose: () => void;
}

export function RemarkDialog({ row, onClose }: Props) {
  return <RemarkEditor {...useAction(user.remark, { invalidate: STALE })} row={row} onClose={onClose} />;
}
