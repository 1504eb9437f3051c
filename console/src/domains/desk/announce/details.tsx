import { announceStates } from '@hengtai/contract/desk/announce/facts';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import type { DetailItem } from '../../../ui/dialog/ConfirmDialog.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { langName, platformName, stateTones } from './columns.tsx';

/** The details that identify an announcement in every dialog. */
export const announceDetails = (row: AnnounceRow): readonly DetailItem[] => [
  { label: '标题', value: <span lang={row.lang}>{row.title}</span>, wide: true },
  { label: '语言', value: langName(row.lang) },
  { label: '展示端', value: platformName(row.platform) },
  ...(row.pinned === 1 ? [{ label: '置顶', value: '是' }] : []),
  ...(row.publishAt === null ? [] : [{ label: '定时发布', value: <Time value={row.publishAt} /> }]),
  { label: '状态', value: <StateTag state={row.state} labels={announceStates} tones={stateTones} /> },
];
