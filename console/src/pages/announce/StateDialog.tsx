import { announce, announceStates } from '@hengtai/contract/announce';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { announceDetails } from './details.tsx';
import { STALE, stateName } from './actions.ts';

/** Level 2: the platform shows it from now on, or no longer. Refused when somebody changed it since it was looked at. */
export function StateDialog({ row, onClose }: { row: AnnounceRow; onClose: () => void }) {
  const [shown] = useState(row);
  const { submit } = useAction(announce.save, { invalidate: STALE });
  const off = shown.state === 1;

  async function run(reason: string, key: string) {
    const input = { id: shown.id, state: off ? (0 as const) : (1 as const), seen: shown.updatedAt };
    const error = await runWithToast(() => submit(withReason(input, reason), key));
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={off ? '下线公告' : '发布公告'}
      verb={off ? '下线' : '发布'}
      danger={off}
      details={announceDetails(shown)}
      consequence={off ? '平台将不再展示这条公告，内容保留为草稿。' : '平台将立即展示这条公告。'}
      reason={{ required: false, chips: [] }}
      makeKey={newKey}
      run={run}
      stateText={(state) => stateName(announceStates, state)}
      onClose={onClose}
    />
  );
}
