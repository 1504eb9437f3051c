import { config, isGuard, partsOf, valueAfter, valueBefore } from '@hengtai/contract/desk/config/calls';
import type { ConfigHistoryRow, ConfigRow } from '@hengtai/contract/desk/config/schema';
import { Time } from '../../../ui/value/Time.tsx';
import { useFourEyesLocked } from '../../../api/me.ts';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { GUARD_REASONS, loosensProtection, nameOf, NEEDS_CHECKER, textOf } from './value.ts';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  change: ConfigHistoryRow;
  /** Restores the value after the change or the one before it. */
  value: 'after' | 'before';
  /** The setting as it is now. */
  current: ConfigRow;
  onClose: () => void;
}

/** 恢复: saves an earlier value of a setting. */
export function RestoreDialog({ change, value, current, onClose }: Props) {
  // Kept from when the dialog opened. `seen` lets the server report a change since then as a conflict.
  const [row] = useState(current);
  const restored = value === 'after' ? valueAfter(change) : valueBefore(change);
  const needsChecker =
    useFourEyesLocked() &&
    loosensProtection(row, { ...row, ...Object.fromEntries(partsOf(row).map((part) => [part, restored[part]])) });
  const isSame = partsOf(row).every((part) => restored[part] === row[part]);

  return (
    <ActionDialog
      call={config.restore}
      input={{ id: row.id, historyId: change.id, value, seen: row.updatedAt }}
      successText="已恢复"
      title={`恢复设置：${nameOf(row)}`}
      verb={needsChecker ? SUBMIT : '恢复'}
      details={[
        { label: '当前值', value: textOf(row), wide: true },
        { label: '恢复为', value: <b>{textOf({ ...row, ...restored })}</b>, wide: true },
        { label: '取自变更', value: `#${change.id}（变更${value === 'after' ? '后' : '前'}）` },
        { label: '变更时间', value: <Time value={change.createdAt} /> },
      ]}
      consequence={
        needsChecker ? NEEDS_CHECKER : '保存后立即生效，并通知交易平台；与修改一样检查范围，记入变更记录和审计日志。'
      }
      blocked={isSame ? '与当前值相同' : undefined}
      reason={{ required: isGuard(row), chips: isGuard(row) ? GUARD_REASONS : [] }}
      stateText={() => textOf(current)}
      onClose={onClose}
    />
  );
}
