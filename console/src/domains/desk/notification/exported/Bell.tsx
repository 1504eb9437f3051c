import '../bell.css';
import { BellOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { Suspense, useState } from 'react';
import { useReadNotifications } from '../read-notifications.ts';
import { useSound } from '../sound.ts';
import { useCounts } from '../../../../api/notify.ts';
import { shortCount, totalOf } from './waiting.ts';
import { lazyComponent } from '../../../../ui/page/lazy-component.tsx';

const BellPanel = lazyComponent(async () => (await import('../BellPanel.tsx')).BellPanel);

/** Bell of the header: the number of pending items, as in the window title, a dot for unread notifications, and a panel. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const read = useReadNotifications();
  useSound();
  const waiting = totalOf(useCounts());
  const label = ['通知', read.unread > 0 && `${read.unread} 条未读`, waiting > 0 && `${waiting} 项待办`];
  const panel = (
    <Suspense fallback={<div className="ht-notification-panel" />}>
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
      <Button
        type="text"
        className="ht-notification-bell"
        aria-label={label.filter(Boolean).join('，')}
        title="通知"
        aria-expanded={open}
      >
        {read.unread > 0 ? (
          <span className="ht-notification-dotted">
            <BellOutlined />
          </span>
        ) : (
          <BellOutlined />
        )}
        {waiting > 0 && <span className="ht-notification-count">{shortCount(waiting)}</span>}
      </Button>
    </Dropdown>
  );
}
