import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { announce } from '@hengtai/contract/desk/announce/calls';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { useState } from 'react';
import { announceDetails } from './details.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: publishes or unpublishes an announcement. A change by somebody else since then is a conflict. */
export function StateDialog({ row, onClose }: { row: AnnounceRow; onClose: () => void }) {
  const [opened] = useState(row);
  const isUnpublishing = opened.state === ANNOUNCE.published;

  return (
    <ActionDialog
      call={announce.save}
      input={{ id: opened.id, state: isUnpublishing ? 0 : 1, seen: opened.updatedAt }}
      title={isUnpublishing ? `下线公告 #${opened.id}` : `发布公告 #${opened.id}`}
      verb={isUnpublishing ? '下线' : '发布'}
      danger={isUnpublishing}
      details={announceDetails(opened)}
      consequence={isUnpublishing ? '平台将不再展示这条公告，内容保留为草稿。' : '平台将立即展示这条公告。'}
      onClose={onClose}
    >
      {!isUnpublishing && <GuardNote call="announce.save" />}
    </ActionDialog>
  );
}
