import './list-states.css';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { CopyButton } from '../value/CopyButton.tsx';
import { type DisplayError, loadErrorTitle } from '../value/display-error.ts';

interface StateMessageProps {
  mark: 'empty' | 'forbidden' | 'error' | 'outdated' | 'sound';
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Message in place of rows: the situation and the next step. */
export function StateMessage({ mark, title, children, action }: StateMessageProps) {
  return (
    <div className="ht-table-message" data-mark={mark} role={mark === 'empty' || mark === 'sound' ? 'status' : 'alert'}>
      <Mark mark={mark} />
      <p className="ht-table-message-title">{title}</p>
      {children && <div className="ht-table-message-text">{children}</div>}
      {action && <div className="ht-table-message-action">{action}</div>}
    </div>
  );
}

/** Drawings of one line style: a balance with empty pans, a lock, a broken line, a shield, a round arrow. */
function Mark({ mark }: Pick<StateMessageProps, 'mark'>) {
  const paths = {
    empty:
      'M48 11v38M36 49h24M20 17h56M48 11l0-3M8 35l12-18 12 18c0 5-5 8-12 8s-12-3-12-8zM64 35l12-18 12 18c0 5-5 8-12 8s-12-3-12-8zM8 35h24M64 35h24',
    forbidden: 'M33 28h30v24H33zM39 28v-8a9 9 0 0 1 18 0v8M48 37v6',
    error: 'M14 32h18l6-13 10 27 6-13h3M66 32h16M48 6v4M48 50v4',
    sound: 'M48 7l19 6v14c0 13-8 20-19 25-11-5-19-12-19-25V13zM39 29l7 7 12-13',
    outdated: 'M66 30a18 18 0 1 1-5-13M66 9v10H56',
  };
  return (
    <svg viewBox="0 0 96 60" width="96" height="60" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden>
      <path d="M4 56h88" strokeDasharray="1 5" strokeLinecap="round" />
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
    <StateMessage mark="error" title={loadErrorTitle(error)} action={<Button onClick={onRetry}>重试</Button>}>
      {error.msg}
      {error.requestId && (
        <p className="ht-value-request">
          请求编号 <code>{error.requestId}</code>
          <CopyButton text={error.requestId} label="请求编号" />
        </p>
      )}
    </StateMessage>
  );
}

/** In place of a small part that could not be loaded. */
export const ErrorLine = ({ error, onRetry }: ErrorProps) => (
  <p className="ht-table-error-line" role="alert" title={error.requestId && `请求编号 ${error.requestId}`}>
    {loadErrorTitle(error)}：{error.msg}
    <Button type="link" size="small" onClick={onRetry}>
      重试
    </Button>
  </p>
);

/** Text of an empty list that explains why it is empty. */
export interface EmptyWords {
  title: string;
  action?: ReactNode;
}

interface EmptyProps {
  /** Replaces the words about filters. */
  words?: EmptyWords | undefined;
  isFiltered: boolean;
  /** Rows exist, but not on this page. */
  isBeyondLastPage: boolean;
  onReset: () => void;
  onFirst: () => void;
  /** Next step if no records exist at all. */
  emptyHint?: ReactNode;
}

/** State of an empty list: page out of range, its own words, no match for the filters, or no records. */
export function EmptyState({ words, isFiltered, isBeyondLastPage, onReset, onFirst, emptyHint }: EmptyProps) {
  if (isBeyondLastPage) {
    return <StateMessage mark="empty" title="本页没有记录" action={<Button onClick={onFirst}>回到第一页</Button>} />;
  }
  if (words) {
    return (
      <StateMessage mark="empty" {...words}>
        {emptyHint}
      </StateMessage>
    );
  }
  if (isFiltered) {
    return (
      <StateMessage mark="empty" title="没有符合条件的记录" action={<Button onClick={onReset}>清除筛选</Button>}>
        试试放宽时间或状态。
      </StateMessage>
    );
  }
  return (
    <StateMessage mark="empty" title="暂无数据">
      {emptyHint}
    </StateMessage>
  );
}
