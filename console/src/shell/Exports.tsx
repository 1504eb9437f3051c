import { CloudDownloadOutlined } from '@ant-design/icons';
import { EXPORT } from '@hengtai/contract/export';
import { Button, Dropdown } from 'antd';
import { Suspense, lazy } from 'react';
import { isUnderWay, useExportPanel, useExports } from './export-jobs.ts';
import { shortCount } from './waiting.ts';

const ExportPanel = lazy(async () => ({ default: (await import('./ExportPanel.tsx')).ExportPanel }));

/** The exports of the header: how many are being made, else how many lie ready, and behind it all of them. */
export function Exports() {
  const { open, setOpen } = useExportPanel();
  const { able, data = [], error, refetch } = useExports();
  if (!able) return null;
  const making = data.filter(isUnderWay).length;
  const ready = data.filter(({ state }) => state === EXPORT.done).length;
  const words = ['导出任务', making > 0 && `${making} 个进行中`, ready > 0 && `${ready} 个可下载`]
    .filter(Boolean)
    .join('，');
  const panel = (
    <Suspense fallback={<div className="sh-bell-panel" />}>
      <ExportPanel jobs={data} error={error} onRetry={() => void refetch()} />
    </Suspense>
  );
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      popupRender={() => panel}
    >
      <Button type="text" className="sh-bell" aria-label={words} title="导出任务" aria-expanded={open}>
        <CloudDownloadOutlined />
        {making + ready > 0 && (
          <span className="sh-export-count" data-making={making > 0}>
            {shortCount(making > 0 ? making : ready)}
          </span>
        )}
      </Button>
    </Dropdown>
  );
}
