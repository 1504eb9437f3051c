import { announce, announceStates } from '@hengtai/contract/announce';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import { useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { announceDetails } from './details.tsx';
import { STALE, stateName } from './actions.ts';

/** Level 2: publishes or unpublishes an announcement. A change by somebody else since then is a conflict. */
export function StateDialog({ row, onClose }: { row: AnnounceRow; onClose: () => void }) {
  const [opened] = useState(row);
  const { submit } = useAction(announce.save, { invalidate: STALE });
  const isUnpublishing = opened.state === 1;

  async function run(reason: string, key: string) {
    const input = { id: opened.id, state: isUnpublishing ? (0 as const) : (1 as const), seen: opened.updatedAt };
    const error = await runWithToast(() => submit(withReason(input, reason), key));
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={isUnpublishing ? '下线公告' : '发布公告'}
      verb={isUnpublishing ? '下线' : '发布'}
      danger={isUnpublishing}
      details={announceDetails(opened)}
      consequence={isUnpublishing ? '平台将不再展示这条公告，内容保留为草稿。' : '平台将立即展示这条公告。'}
      reason={{ required: false, chips: [] }}
      makeKey={newKey}
      run={run}
      stateText={(state) => stateName(announceStates, state)}
      onClose={onClose}
    />
  );
}
