import { RightOutlined, SoundOutlined } from '@ant-design/icons';
import { notificationSpecs } from '@hengtai/contract/notification';
import type { NotificationRow } from '@hengtai/contract/notify.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useCounts, useNotifyMode } from '../../api/notify.ts';
import { matchPage } from '../../navigation/page-table.ts';
import { formatTime, useZone } from '../../ui/zone.ts';
import { SoundSettings } from './SoundSettings.tsx';
import { showExports } from '../../lists/export-jobs.ts';
import { openPath } from '../../navigation/open-path.ts';
import type { useReadNotifications } from './read-notifications.ts';
import { type WaitingCount, notificationText, pathOfNotification, waitingCountsOf } from './exported/waiting.ts';

const NOTIFICATIONS_SHOWN = 30;

const modeTexts = { polling: '实时连接不可用，每 15 秒更新一次', off: '连接中断，正在重试' } as const;

interface Props {
  read: ReturnType<typeof useReadNotifications>;
  onClose: () => void;
}

/** Panel of the bell: pending items by kind, latest notifications, sound settings. */
export function BellPanel({ read, onClose }: Props) {
  const waiting = waitingCountsOf(useCounts());
  const mode = useNotifyMode();
  const [isSoundOpen, setIsSoundOpen] = useState(false);
  const show = (path: string) => {
    onClose();
    openPath(path);
  };
  const open = (notification: NotificationRow, path: string | undefined) => {
    read.readOne(notification);
    if (path !== undefined) return show(path);
    onClose();
    showExports();
  };
  return (
    <section className="sh-bell-panel" aria-label="通知">
      <header className="sh-bell-head">
        <h2>待办</h2>
        <Button
          type="text"
          size="small"
          icon={<SoundOutlined />}
          aria-expanded={isSoundOpen}
          onClick={() => setIsSoundOpen(!isSoundOpen)}
        >
          声音提醒
        </Button>
      </header>
      {isSoundOpen && <SoundSettings />}
      {waiting.length === 0 ? (
        <p className="sh-bell-empty">没有待办事项</p>
      ) : (
        <ul className="sh-bell-waiting">
          {waiting.map((kind) => (
            <li key={kind.key}>
              <WaitingLine kind={kind} onShow={show} />
            </li>
          ))}
        </ul>
      )}
      <header className="sh-bell-head">
        <h2>最新动态</h2>
        <Button type="text" size="small" disabled={read.unread === 0} onClick={read.readAll}>
          全部已读
        </Button>
      </header>
      {read.notifications.length === 0 ? (
        <p className="sh-bell-empty">暂无动态</p>
      ) : (
        <ul className="sh-bell-facts">
          {read.notifications.slice(0, NOTIFICATIONS_SHOWN).map((notification) => (
            <li key={notification.id}>
              <NotificationLine notification={notification} unread={read.isUnread(notification)} onOpen={open} />
            </li>
          ))}
        </ul>
      )}
      {(mode === 'polling' || mode === 'off') && <p className="sh-bell-mode">{modeTexts[mode]}</p>}
    </section>
  );
}

function WaitingLine({ kind, onShow }: { kind: WaitingCount; onShow: (path: string) => void }) {
  const content = (
    <>
      <span>{kind.label}</span>
      <b>{kind.count}</b>
    </>
  );
  if (!matchPage(kind.path)) return <span className="sh-bell-line">{content}</span>;
  return (
    <button type="button" className="sh-bell-line" onClick={() => onShow(kind.path + kind.query)}>
      {content}
      <RightOutlined aria-hidden />
    </button>
  );
}

interface NotificationProps {
  notification: NotificationRow;
  unread: boolean;
  onOpen: (notification: NotificationRow, path: string | undefined) => void;
}

function NotificationLine({ notification, unread, onOpen }: NotificationProps) {
  const zone = useZone();
  const path = pathOfNotification(notification);
  const content = (
    <>
      {unread ? <i className="sh-bell-mark" role="img" aria-label="未读" /> : <i className="sh-bell-mark" />}
      <span className="sh-bell-what">
        <b>{notificationSpecs[notification.type].label}</b>
        <span>{notificationText(notification)}</span>
      </span>
      <time dateTime={new Date(notification.at).toISOString()}>{formatTime(notification.at, zone).slice(5)}</time>
    </>
  );
  // An export has no page; it is shown in the export panel.
  if (path === undefined && notification.noun !== 'export') return <span className="sh-bell-line">{content}</span>;
  return (
    <button type="button" className="sh-bell-line" onClick={() => onOpen(notification, path)}>
      {content}
    </button>
  );
}
