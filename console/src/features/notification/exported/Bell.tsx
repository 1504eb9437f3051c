import '../bell.css';
import { BellOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { Suspense, lazy, useState } from 'react';
import { useReadNotifications } from '../read-notifications.ts';
import { useSound } from '../sound.ts';
import { shortCount } from './waiting.ts';

const BellPanel = lazy(async () => ({ default: (await import('../BellPanel.tsx')).BellPanel }));

/** Bell of the header: unread count and a panel with pending items and notifications. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const read = useReadNotifications();
  useSound();
  const label = read.unread > 0 ? `通知，${read.unread} 条未读` : '通知';
  const panel = (
    <Suspense fallback={<div className="sh-bell-panel" />}>
      <BellPanel read={read} onClose={() => setOpen(false)} />
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
      <Button type="text" className="sh-bell" aria-label={label} title="通知" aria-expanded={open}>
        <BellOutlined />
        {read.unread > 0 && <span className="sh-bell-count">{shortCount(read.unread)}</span>}
      </Button>
    </Dropdown>
  );
}
