import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { useAction } from '../../api/hooks.ts';
import { RemarkEditor } from '../../actions/RemarkEditor.tsx';
import { STALE } from './actions.ts';

interface Props {
  row: AgentRow;
  onClose: () => void;
}

export function RemarkDialog({ row, onClose }: Props) {
  return <RemarkEditor {...useAction(agent.remark, { invalidate: STALE })} row={row} onClose={onClose} />;
}
