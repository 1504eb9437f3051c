import { BULK_MAX } from '@hengtai/contract/list';
import { user } from '@hengtai/contract/user';
import type { UserRow } from '@hengtai/contract/user.schema';
import { settle } from '../../api/fault.ts';
import { newKey, useAction } from '../../api/hooks.ts';
import type { BulkLine } from '../../ui/BulkResults.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { STALE } from './deeds.ts';
import { switchWords } from './words.ts';

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

/** Level 3: many users frozen or enabled at once. The count is typed and a reason given; each has its own outcome. */
export function BulkDialog({ to, rows, onClose, onDone }: Props) {
  const enable = useAction(user.enableMany, { invalidate: STALE });
  const disable = useAction(user.disableMany, { invalidate: STALE });
  const { verb, detail } = switchWords.state[to];
  const already = rows.filter(({ state }) => state === to).length;

  async function run(reason: string, key: string) {
    let results: readonly BulkLine[] = [];
    const fault = await settle(async () => {
      const outcome = await (to ? enable : disable).submit({ ids: rows.map(({ id }) => id), reason }, key);
      if (outcome.kind === 'done') ({ results } = outcome.data);
    });
    if (!fault) onDone(results);
    return fault;
  }

  return (
    <ConfirmDialog
      title={`批量${verb}`}
      verb={`${verb} ${rows.length} 位`}
      danger={to === 0}
      facts={[
        { label: '用户', value: `${rows.length} 位` },
        { label: `已${verb}`, value: `${already} 位` },
      ]}
      consequence={`${detail}逐位执行，已是该状态的不受影响并列出。`}
      blocked={rows.length > BULK_MAX ? `一次最多 ${BULK_MAX} 位` : undefined}
      reason={{ required: true, chips: REASONS[to] }}
      challenge={{ label: '请输入人数以确认', expect: String(rows.length) }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    />
  );
}
