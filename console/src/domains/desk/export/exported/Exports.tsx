import './exports.css';
import { CloudDownloadOutlined } from '@ant-design/icons';
import { EXPORT } from '@hengtai/contract/desk/export/calls';
import { Button, Dropdown } from 'antd';
import { Suspense } from 'react';
import { isUnderWay, useExportPanel, useExports } from '../../../../lists/export-jobs.ts';
import { shortCount } from '../../notification/exported/waiting.ts';
import { lazyComponent } from '../../../../ui/page/lazy-component.tsx';

const ExportPanel = lazyComponent(async () => (await import('../ExportPanel.tsx')).ExportPanel);

/** Export button of the header: number of running exports, otherwise of finished ones, and a panel with all. */
export function Exports() {
  const { isOpen, setOpen } = useExportPanel();
  const { hasAbility, data = [], error, refetch } = useExports();
  if (!hasAbility) return null;
  const runningCount = data.filter(isUnderWay).length;
  const readyCount = data.filter(({ state }) => state === EXPORT.done).length;
  const label = ['导出任务', runningCount > 0 && `${runningCount} 个进行中`, readyCount > 0 && `${readyCount} 个可下载`]
    .filter(Boolean)
    .join('，');
  const panel = (
    <Suspense fallback={<div className="ht-notification-panel" />}>
      <ExportPanel jobs={data} error={error} onRetry={() => void refetch()} />
    </Suspense>
  );
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      open={isOpen}
      onOpenChange={setOpen}
      destroyOnHidden
      popupRender={() => panel}
    >
      <Button type="text" className="ht-notification-bell" aria-label={label} title="导出任务" aria-expanded={isOpen}>
        <CloudDownloadOutlined />
        {runningCount + readyCount > 0 && (
          <span className="ht-export-count" data-making={runningCount > 0}>
            {shortCount(runningCount > 0 ? runningCount : readyCount)}
          </span>
        )}
      </Button>
    </Dropdown>
  );
}
