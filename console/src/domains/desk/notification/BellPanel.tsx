import '../../../navigation/page-link.css';
import { RightOutlined, SoundOutlined } from '@ant-design/icons';
import { notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { Button } from 'antd';
import { Fragment, type MouseEvent, useState } from 'react';
import { useCounts, useNotifyMode } from '../../../api/notify.ts';
import { matchPage } from '../../../navigation/page-table.ts';
import { formatTime, useZone } from '../../../ui/value/zone.ts';
import { SoundSettings } from './SoundSettings.tsx';
import { showExports } from '../../../lists/export-jobs.ts';
import { openPath } from '../../../navigation/open-path.ts';
import type { useReadNotifications } from './read-notifications.ts';
import { type WaitingCount, notificationParts, pathOfNotification, waitingCountsOf } from './exported/waiting.ts';

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
    <section className="ht-notification-panel" aria-label="通知">
      <header className="ht-notification-head">
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
        <p className="ht-notification-empty">没有待办事项</p>
      ) : (
        <ul className="ht-notification-waiting">
          {waiting.map((kind) => (
            <li key={kind.key}>
              <WaitingLine kind={kind} onShow={show} />
            </li>
          ))}
        </ul>
      )}
      <header className="ht-notification-head">
        <h2>最新动态</h2>
        <Button type="text" size="small" disabled={read.unread === 0} onClick={read.readAll}>
          全部已读
        </Button>
      </header>
      {read.notifications.length === 0 ? (
        <p className="ht-notification-empty">暂无动态</p>
      ) : (
        <ul className="ht-notification-facts">
          {read.notifications.slice(0, NOTIFICATIONS_SHOWN).map((notification) => (
            <li key={notification.id}>
              <NotificationLine
                notification={notification}
                unread={read.isUnread(notification)}
                onOpen={open}
                onShow={show}
              />
            </li>
          ))}
        </ul>
      )}
      {(mode === 'polling' || mode === 'off') && <p className="ht-notification-mode">{modeTexts[mode]}</p>}
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
  if (!matchPage(kind.path)) return <span className="ht-notification-line">{content}</span>;
  return (
    <button type="button" className="ht-notification-line" onClick={() => onShow(kind.path + kind.query)}>
      {content}
      <RightOutlined aria-hidden />
    </button>
  );
}

interface NotificationProps {
  notification: NotificationRow;
  unread: boolean;
  onOpen: (notification: NotificationRow, path: string | undefined) => void;
  onShow: (path: string) => void;
}

/** A click anywhere opens the record, a click on the account the user. */
function NotificationLine({ notification, unread, onOpen, onShow }: NotificationProps) {
  const zone = useZone();
  const path = pathOfNotification(notification);
  const { at, type } = notification;
  const { label } = notificationSpecs[type];
  const parts = notificationParts(notification);
  // An export has no page; it is shown in the export panel.
  const canOpen = path !== undefined || notification.noun === 'export';
  return (
    <div className="ht-notification-line">
      {unread ? (
        <i className="ht-notification-mark" role="img" aria-label="未读" />
      ) : (
        <i className="ht-notification-mark" />
      )}
      <div className="ht-notification-what">
        {canOpen ? (
          <button type="button" aria-label={[label, ...parts].join(' · ')} onClick={() => onOpen(notification, path)}>
            {label}
          </button>
        ) : (
          <b>{label}</b>
        )}
        <span>
          {parts.map((part, index) => (
            <Fragment key={part}>
              {index > 0 && ' · '}
              {part === notification.account ? <AccountLink notification={notification} onShow={onShow} /> : part}
            </Fragment>
          ))}
        </span>
      </div>
      <time dateTime={new Date(at).toISOString()}>{formatTime(at, zone).slice(5)}</time>
    </div>
  );
}

/** The panel is outside the tabs, where the links of pages do not work. */
function AccountLink({
  notification: { account, userId },
  onShow,
}: Pick<NotificationProps, 'notification' | 'onShow'>) {
  if (userId === null) return account;
  const path = `/user?open=${userId}`;
  const show = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onShow(path);
  };
  return (
    <a className="ht-navigation-quiet-link" href={path} title={account ?? undefined} onClick={show}>
      {account}
    </a>
  );
}
