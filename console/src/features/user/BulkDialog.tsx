import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { useAction } from '../../api/hooks.ts';
import { BulkActionDialog } from '../../actions/BulkActionDialog.tsx';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { STALE } from './actions.ts';
import { switchTexts } from './words.ts';

interface Props {
  to: 0 | 1;
  rows: readonly UserRow[];
  onClose: () => void;
  onDone: (results: readonly BulkLine[]) => void;
}

const REASONS = {
  0: ['疑似异常操作', '账号疑似被盗', '违反用户协议'],
  1: ['已核实，恢复使用', '误冻结'],
} as const;

/** Level 3: disables or enables several users. */
export function BulkDialog({ to, rows, onClose, onDone }: Props) {
  const enable = useAction(user.enableMany, { invalidate: STALE });
  const disable = useAction(user.disableMany, { invalidate: STALE });
  const { verb, detail } = switchTexts.state[to];
  const unchanged = rows.filter(({ state }) => state === to).length;

  return (
    <BulkActionDialog
      title={`批量${verb}`}
      verb={verb}
      danger={to === 0}
      details={[
        { label: '用户', value: `${rows.length} 位` },
        { label: `已${verb}`, value: `${unchanged} 位` },
      ]}
      consequence={`${detail}逐位执行，已是该状态的不受影响并列出。`}
      ids={rows.map(({ id }) => id)}
      unit="位"
      reasons={REASONS[to]}
      submit={(to ? enable : disable).submit}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
