import { announce } from '@hengtai/contract/desk/announce/calls';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { useState } from 'react';
import { announceDetails } from './details.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

/** Level 2: pins all languages of an announcement or takes the pin away. A scheduled draft keeps its time. */
export function PinDialog({ row, onClose }: { row: AnnounceRow; onClose: () => void }) {
  const [opened] = useState(row);
  const verb = opened.pinned === 1 ? '取消置顶' : '置顶';
  return (
    <ActionDialog
      call={announce.save}
      input={{
        id: opened.id,
        pinned: opened.pinned === 1 ? 0 : 1,
        ...(opened.publishAt !== null && { publishAt: opened.publishAt }),
        seen: opened.updatedAt,
      }}
      title={`${verb}公告 #${opened.id}`}
      verb={verb}
      details={announceDetails(opened)}
      consequence={
        opened.pinned === 1 ? '这条公告的全部语言将按时间排列。' : '这条公告的全部语言将排在平台和列表的最前面。'
      }
      onClose={onClose}
    />
  );
}
