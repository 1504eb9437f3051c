import { user } from '@hengtai/contract/people/user/calls';
import type { UserRow } from '@hengtai/contract/people/user/schema';
import { BulkDialog } from '../../../actions/BulkDialog.tsx';
import type { BulkLine } from '../../../ui/dialog/BulkResults.tsx';
import { AgentBulkDialog } from './AgentDialog.tsx';
import { GroupBulkDialog } from './GroupDialog.tsx';
import { switchTexts } from './words.ts';

interface Props {
  action: 'enable' | 'disable' | 'agent' | 'group';
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

/** Renders the dialog of a bulk action. */
export function UserBulkDialog({ action, ...rest }: Props) {
  if (action === 'agent') return <AgentBulkDialog {...rest} />;
  if (action === 'group') return <GroupBulkDialog {...rest} />;
  return <StateBulkDialog to={action === 'enable' ? 1 : 0} {...rest} />;
}

const REASONS = {
  0: ['疑似异常操作', '账号疑似被盗', '违反用户协议'],
  1: ['已核实，恢复使用', '误冻结'],
} as const;

/** Level 3: disables or enables several users. */
function StateBulkDialog({ to, rows, onClose, onDone }: Omit<Props, 'action'> & { to: 0 | 1 }) {
  const { verb, consequence } = switchTexts.state[to];
  const unchanged = rows.filter(({ state }) => state === to).length;

  return (
    <BulkDialog
      call={to ? user.enableMany : user.disableMany}
      rows={rows}
      title={`批量${verb}`}
      verb={verb}
      danger={to === 0}
      details={[
        { label: '用户', value: `${rows.length} 位` },
        { label: `已${verb}`, value: `${unchanged} 位` },
      ]}
      consequence={`${consequence}逐位执行，已是该状态的不受影响并列出。`}
      unit="位"
      reasons={REASONS[to]}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
