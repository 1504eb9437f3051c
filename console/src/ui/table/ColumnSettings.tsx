import './column-settings.css';
import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import { memo } from 'react';
import type { ColumnList as List, ColumnListProps } from './ColumnList.tsx';
import { usePopup } from '../browser/page-visibility.ts';
import { onDemand } from '../page/on-demand.tsx';

const ColumnList = onDemand(async () => (await import('./ColumnList.tsx')).ColumnList) as typeof List;

function ColumnSettingsOf<Row>(props: ColumnListProps<Row>) {
  const [open, setOpen] = usePopup();
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      content={<ColumnList {...props} />}
    >
      <Button
        type="text"
        aria-label="列设置"
        title="列设置"
        aria-expanded={open}
        icon={<SettingOutlined aria-hidden />}
      />
    </Popover>
  );
}

/** 列设置: shows, hides, orders and freezes columns. */
export const ColumnSettings = memo(ColumnSettingsOf) as typeof ColumnSettingsOf;
