import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DisplayError } from '../../ui/display-error.ts';
import { langName, platformName } from './columns.tsx';

interface Props {
  langs: readonly string[];
  titles: readonly string[];
  platform: number;
  requestKey: string;
  run: () => Promise<DisplayError | undefined>;
  onClose: () => void;
}

/** Level 2: publishes the announcement to customers. */
export function PublishDialog({ langs, titles, platform, requestKey, run, onClose }: Props) {
  return (
    <ConfirmDialog
      title="发布公告"
      verb="发布"
      details={[
        { label: '展示端', value: platformName(platform) },
        { label: '语言', value: `${langs.length} 种` },
        ...langs.map((lang, index) => ({
          label: langName(lang),
          value: <span lang={lang}>{titles[index]}</span>,
          wide: true,
        })),
      ]}
      consequence="平台将立即展示以上公告。"
      makeKey={() => requestKey}
      run={run}
      onClose={onClose}
    />
  );
}
