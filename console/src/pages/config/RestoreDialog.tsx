import { config, isGuard, partsOf, valueAfter, valueBefore } from '@hengtai/contract/config';
import type { ConfigHistoryRow, ConfigRow } from '@hengtai/contract/config.schema';
import { newKey, useAction } from '../../api/hooks.ts';
import { settle } from '../../api/display-error.ts';
import { toast } from '../../api/toast.ts';
import { withReason } from '../../api/run-with-toast.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Time } from '../../ui/Time.tsx';
import { useLocked } from '../../api/me.ts';
import { SUBMIT } from '../../shell/LockedNote.tsx';
import { NEEDS_CHECKER, GUARD_REASONS, loosens, textOf } from './value.ts';
import { useState } from 'react';

const STALE = [config.list, config.history, config.diff];

interface Props {
  change: ConfigHistoryRow;
  /** The value that the change left, or the one that it found. */
  value: 'after' | 'before';
  now: ConfigRow;
  onClose: () => void;
}

/** 恢复: saves a value again that the setting had. */
export function RestoreDialog({ change, value, now, onClose }: Props) {
  const { submit } = useAction(config.restore, { invalidate: STALE });
  // What the dialog shows is what it asks for; who changes the setting meanwhile is told apart by it.
  const [row] = useState(now);
  const wanted = value === 'after' ? valueAfter(change) : valueBefore(change);
  const second =
    useLocked() && loosens(row, { ...row, ...Object.fromEntries(partsOf(row).map((part) => [part, wanted[part]])) });
  const same = partsOf(row).every((part) => wanted[part] === row[part]);

  async function run(reason: string, key: string) {
    const input = { id: row.id, historyId: change.id, value, seen: row.updatedAt };
    const error = await settle(async () => {
      const outcome = await submit(withReason(input, reason), key);
      if (outcome.kind === 'done') toast.success('已恢复');
    });
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={`恢复设置：${row.name}`}
      verb={second ? SUBMIT : '恢复'}
      details={[
        { label: '当前值', value: textOf(row), wide: true },
        { label: '恢复为', value: <b>{textOf({ ...row, ...wanted })}</b>, wide: true },
        { label: '取自变更', value: `#${change.id}（变更${value === 'after' ? '后' : '前'}）` },
        { label: '变更时间', value: <Time value={change.createdAt} /> },
      ]}
      consequence={
        second ? NEEDS_CHECKER : '保存后立即生效，并通知交易平台；与修改一样检查范围，记入变更记录和审计日志。'
      }
      blocked={same ? '与当前值相同' : undefined}
      reason={{ required: isGuard(row), chips: isGuard(row) ? GUARD_REASONS : [] }}
      stateText={() => textOf(now)}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    />
  );
}
