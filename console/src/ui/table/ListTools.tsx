import './list-tools.css';
import { ColumnHeightOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { type ReactNode, memo } from 'react';
import { useDensity } from './density.ts';
import { type ListView, REFRESH_SECONDS } from './list-view.ts';
import { usePopup } from '../browser/page-visibility.ts';
import { useStable } from '../browser/use-stable.ts';
import { formatClock, useZone } from '../value/zone.ts';

interface Props {
  list: Pick<ListView<unknown>, 'fetching' | 'refresh' | 'seconds' | 'setSeconds' | 'at' | 'error' | 'pending'>;
  /** Export button. */
  download?: ReactNode;
  /** Column settings. */
  columns?: ReactNode;
  /** Buttons before the tools: 新增, 审核队列. */
  children?: ReactNode;
}

/** Tools at the right of a list: export, refresh, auto refresh, columns, density. */
export function ListTools({ list, download, columns, children }: Props) {
  const zone = useZone();
  const refresh = useStable(list.refresh);
  // Without data there is nothing that is old: the list itself says why.
  const isStale = list.error && list.at > 0;
  return (
    <div className="ht-table-tools">
      {isStale && (
        <span className="ht-value-warn" role="status">
          刷新失败，数据截至 {formatClock(list.at, zone)}
        </span>
      )}
      {children}
      <span className="ht-table-tool-group">
        {download}
        <Button
          type="text"
          aria-label="刷新"
          title={list.at ? `刷新，数据时间 ${formatClock(list.at, zone)}` : '刷新'}
          icon={<ReloadOutlined aria-hidden spin={list.fetching} />}
          onClick={refresh}
        />
        <AutoRefresh seconds={list.seconds} setSeconds={list.setSeconds} />
        {columns}
        <DensitySwitch />
      </span>
    </div>
  );
}

const AutoRefresh = memo(({ seconds, setSeconds }: Pick<ListView<unknown>, 'seconds' | 'setSeconds'>) => {
  const [open, setOpen] = usePopup();
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [String(seconds)],
        items: REFRESH_SECONDS.map((interval) => ({ key: String(interval), label: intervalLabel(interval) })),
        onClick: ({ key }) => setSeconds(Number(key)),
      }}
    >
      <Button
        type="text"
        className="ht-table-auto"
        aria-label={`自动刷新：${intervalLabel(seconds)}`}
        title={`自动刷新：${intervalLabel(seconds)}`}
      >
        {intervalLabel(seconds)}
      </Button>
    </Dropdown>
  );
});

const DensitySwitch = memo(() => {
  const [density, setDensity] = useDensity();
  return (
    <Button
      type="text"
      aria-label="密度"
      title={density === 'compact' ? '密度：紧凑，点击改为标准' : '密度：标准，点击改为紧凑'}
      aria-pressed={density === 'compact'}
      icon={<ColumnHeightOutlined aria-hidden />}
      onClick={() => setDensity(density === 'compact' ? 'comfortable' : 'compact')}
    />
  );
});

const intervalLabel = (seconds: number): string => (seconds === 0 ? '关' : `${seconds} 秒`);
