import { announce } from '@hengtai/contract/desk/announce/calls';
import { ANNOUNCE, announceStates } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import type { DetailItem } from '../../../ui/dialog/ConfirmDialog.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { langName, platformName, stateTones } from './columns.tsx';

export type AnnounceAction = 'state' | 'pin' | 'delete';

interface Props {
  action: AnnounceAction;
  row: AnnounceRow;
  onClose: () => void;
  onDeleted: () => void;
}

/**
 * Level 2: publishes, unpublishes, pins or deletes all languages of an announcement. A change by somebody else since it
 * opened is a conflict. The audit log keeps the text of a deleted one.
 */
export function AnnounceDialog({ action, row, onClose, onDeleted }: Props) {
  const [initialRow] = useState(row);
  const { id, publishAt, updatedAt: seen } = initialRow;
  const isPublished = initialRow.state === ANNOUNCE.published;
  const isPinned = initialRow.pinned === 1;
  const common = { details: detailsOf(initialRow), onClose };

  if (action === 'delete')
    return (
      <ActionDialog
        {...common}
        call={announce.del}
        input={{ id }}
        onDone={onDeleted}
        danger
        consequence={`${isPublished ? '平台将立即撤下这条公告。' : ''}删除后不能恢复，内容只保留在审计日志中。`}
        reason={{ chips: ['内容有误', '已过期'] }}
      />
    );
  if (action === 'pin') {
    const verb = isPinned ? '取消置顶' : '置顶';
    return (
      <ActionDialog
        {...common}
        call={announce.save}
        // A scheduled draft keeps its time.
        input={{ id, pinned: isPinned ? 0 : 1, ...(publishAt !== null && { publishAt }), seen }}
        title={`${verb}公告 #${id}`}
        verb={verb}
        consequence={isPinned ? '这条公告的全部语言将按时间排列。' : '这条公告的全部语言将排在平台和列表的最前面。'}
      />
    );
  }
  const verb = isPublished ? '下线' : '发布';
  return (
    <ActionDialog
      {...common}
      call={announce.save}
      input={{ id, state: isPublished ? ANNOUNCE.draft : ANNOUNCE.published, seen }}
      title={`${verb}公告 #${id}`}
      verb={verb}
      danger={isPublished}
      consequence={isPublished ? '平台将不再展示这条公告，内容保留为草稿。' : '平台将立即展示这条公告。'}
    >
      {!isPublished && <GuardNote call="announce.save" />}
    </ActionDialog>
  );
}

const detailsOf = (row: AnnounceRow): readonly DetailItem[] => [
  { label: '标题', value: <span lang={row.lang}>{row.title}</span>, wide: true },
  { label: '语言', value: langName(row.lang) },
  { label: '展示端', value: platformName(row.platform) },
  ...(row.pinned === 1 ? [{ label: '置顶', value: '是' }] : []),
  ...(row.publishAt === null ? [] : [{ label: '定时发布', value: <Time value={row.publishAt} /> }]),
  { label: '状态', value: <StateTag state={row.state} labels={announceStates} tones={stateTones} /> },
];
