import { GuardNote } from '../../../actions/LockedNote.tsx';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { offsetText, formatTime, useZone } from '../../../ui/value/zone.ts';
import { langName, platformName } from './columns.tsx';
import type { Draft } from './use-draft.ts';

interface Props {
  draft: Pick<Draft, 'texts' | 'filledLangs' | 'platform' | 'pinned'>;
  /** Null publishes at once. */
  publishAt: number | null;
  makeKey: () => string;
  run: () => Promise<DisplayError | undefined>;
  onClose: () => void;
}

/** 发布公告 or 定时发布公告. */
export function PublishDialog({ draft, publishAt, ...confirmation }: Props) {
  const { texts, filledLangs, platform, pinned } = draft;
  const zone = useZone();
  const verb = publishAt === null ? '发布' : '定时发布';
  return (
    <ConfirmDialog
      title={`${verb}公告`}
      verb={verb}
      details={[
        { label: '展示端', value: platformName(platform) },
        { label: '语言', value: `${filledLangs.length} 种` },
        ...(pinned === 1 ? [{ label: '置顶', value: '是' }] : []),
        ...(publishAt === null
          ? []
          : [
              {
                label: '发布时间',
                value: `${formatTime(publishAt, zone)}（${zone} ${offsetText(publishAt, zone)}）`,
                wide: true,
              },
            ]),
        ...filledLangs.map((one) => ({
          label: langName(one),
          value: <span lang={one}>{texts[one]?.title ?? ''}</span>,
          wide: true,
        })),
      ]}
      consequence={
        publishAt === null
          ? '平台将立即展示以上公告。'
          : '到时由系统自动发布并记入审计日志。在此之前可以修改；修改时清空时间即取消。'
      }
      {...confirmation}
    >
      <GuardNote call="announce.add" />
    </ConfirmDialog>
  );
}
