import './ui.css';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import type { DisplayError } from './display-error.ts';

interface StateMessageProps {
  mark: 'empty' | 'forbidden' | 'error' | 'outdated' | 'sound';
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Message in place of rows: the situation and the next step. */
export function StateMessage({ mark, title, children, action }: StateMessageProps) {
  return (
    <div className="ht-state-message" data-mark={mark} role={mark === 'empty' || mark === 'sound' ? 'status' : 'alert'}>
      <Mark mark={mark} />
      <p className="ht-state-message-title">{title}</p>
      {children && <div className="ht-state-message-text">{children}</div>}
      {action && <div className="ht-state-message-action">{action}</div>}
    </div>
  );
}

/** Icons: an empty tray, a lock, a broken line, a round arrow, a shield. */
function Mark({ mark }: Pick<StateMessageProps, 'mark'>) {
  const paths = {
    empty: 'M8 26h10l3 5h6l3-5h10M8 26l6-14h20l6 14v12H8z',
    forbidden: 'M14 22h20v17H14zM18 22v-5a6 6 0 0 1 12 0v5M24 29v4',
    error: 'M6 24h8l4-9 6 18 4-9h2M36 24h6M24 6v3M24 39v3',
    sound: 'M24 6l15 5v11c0 10-6 16-15 20-9-4-15-10-15-20V11zM17 24l5 5 10-11',
    outdated: 'M38 24a14 14 0 1 1-4-10M38 8v8h-8',
  };
  return (
    <svg viewBox="0 0 48 48" width="48" height="48" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
      <path d={paths[mark]} strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  );
}

interface ErrorProps {
  error: DisplayError;
  onRetry: () => void;
}

/** State of a list that could not be loaded: no permission, outdated page, or an error with retry. */
export function ErrorState({ error, onRetry }: ErrorProps) {
  if (error.kind === 'forbidden') {
    return (
      <StateMessage mark="forbidden" title="没有权限查看">
        {error.msg}。需要时请联系上级开通权限。
      </StateMessage>
    );
  }
  if (error.kind === 'outdated') {
    return (
      <StateMessage
        mark="outdated"
        title="系统已更新"
        action={
          <Button type="primary" onClick={() => window.location.reload()}>
            刷新页面
          </Button>
        }
      >
        刷新后使用新版本，已打开的标签页会恢复。
      </StateMessage>
    );
  }
  return (
    <StateMessage mark="error" title="加载失败" action={<Button onClick={onRetry}>重试</Button>}>
      {error.msg}
      {error.requestId && (
        <p className="ht-request">
          请求编号 <code>{error.requestId}</code>
          <CopyButton text={error.requestId} what="请求编号" />
        </p>
      )}
    </StateMessage>
  );
}

interface EmptyProps {
  filtered: boolean;
  /** Rows exist, but not on this page. */
  beyond: boolean;
  onReset: () => void;
  onFirst: () => void;
  /** Next step if no records exist at all. */
  next?: ReactNode;
}

/** State of an empty list: page out of range, no match for the filters, or no records. */
export function EmptyState({ filtered, beyond, onReset, onFirst, next }: EmptyProps) {
  if (beyond) {
    return <StateMessage mark="empty" title="本页没有记录" action={<Button onClick={onFirst}>回到第一页</Button>} />;
  }
  if (filtered) {
    return (
      <StateMessage mark="empty" title="没有符合条件的记录" action={<Button onClick={onReset}>清除筛选</Button>}>
        试试放宽时间或状态。
      </StateMessage>
    );
  }
  return (
    <StateMessage mark="empty" title="暂无数据">
      {next}
    </StateMessage>
  );
}
