import { SUPPORT } from '@hengtai/contract/desk/support/facts';
import type { SupportRow } from '@hengtai/contract/desk/support/schema';
import { SearchOutlined } from '@ant-design/icons';
import { Button, Input, Pagination, Segmented } from 'antd';
import { pageItem } from '../../../ui/table/page-item.ts';
import { useEffect, useRef, useState } from 'react';
import { clearButton } from '../../../ui/form/clear-button.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { ErrorState, StateMessage } from '../../../ui/table/list-states.tsx';
import { formatTime, useZone } from '../../../ui/value/zone.ts';
import { shortCount } from '../notification/exported/waiting.ts';
import { PAGE_SIZE, type ViewKey, views } from './views.ts';
import { assigneeText, previewText } from './words.ts';

interface Props {
  rows: readonly SupportRow[] | undefined;
  total: number;
  page: number;
  error: DisplayError | undefined;
  view: ViewKey;
  account: string;
  openId: number | undefined;
  ownAccount: string;
  onView: (view: ViewKey) => void;
  onAccount: (account: string) => void;
  onPage: (page: number) => void;
  onOpen: (id: number) => void;
  onRetry: () => void;
}

/** The conversations of the operator's scope, unread ones first. */
export function Conversations(props: Props) {
  const { rows, total, page, error, view, account, onView, onAccount, onPage, onRetry } = props;
  const [accountText, setAccountText] = useState(account);
  return (
    <section className="ht-support-list" aria-label="会话">
      <div className="ht-support-list-head">
        <Segmented
          size="small"
          aria-label="会话范围"
          value={view}
          options={views.map(({ key, label }) => ({ value: key, label }))}
          onChange={onView}
        />
        <Input.Search
          allowClear={clearButton}
          size="small"
          aria-label="按账号查找"
          placeholder="账号的任意部分"
          maxLength={64}
          value={accountText}
          onChange={({ target }) => setAccountText(target.value)}
          enterButton={<Button icon={<SearchOutlined aria-hidden />} aria-label="查找" title="查找" />}
          onSearch={(text) => onAccount(text.trim())}
        />
      </div>
      <div className="ht-support-list-body">
        {error && !rows ? (
          <ErrorState error={error} onRetry={onRetry} />
        ) : rows ? (
          <Rows {...props} rows={rows} />
        ) : (
          <Skeleton />
        )}
      </div>
      {total > PAGE_SIZE && (
        <Pagination
          itemRender={pageItem}
          simple
          size="small"
          className="ht-support-list-foot"
          current={page}
          pageSize={PAGE_SIZE}
          total={total}
          onChange={onPage}
        />
      )}
    </section>
  );
}

function Rows({ rows, view, account, openId, ownAccount, onOpen }: Props & { rows: readonly SupportRow[] }) {
  const zone = useZone();
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (openId !== undefined) current.current?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  if (rows.length === 0) {
    return (
      <StateMessage mark="empty" title={view === 'all' && account === '' ? '暂无会话' : '没有符合条件的会话'}>
        {view === 'all' && account === '' ? '用户发来消息后会出现在这里。' : '试试其他范围或账号。'}
      </StateMessage>
    );
  }
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id} ref={row.id === openId ? current : null}>
          <button
            type="button"
            className="ht-support-conversation"
            aria-current={row.id === openId}
            data-closed={row.state === SUPPORT.closed}
            data-unread={row.unread > 0}
            onClick={() => onOpen(row.id)}
          >
            <span className="ht-support-conversation-account" title={row.account}>
              {row.account}
            </span>
            <time className="ht-support-conversation-time" dateTime={new Date(row.lastAt).toISOString()}>
              {shortTime(row.lastAt, zone)}
            </time>
            <bdi className="ht-support-conversation-text">{previewText(row)}</bdi>
            <span className="ht-support-conversation-who">
              {row.state === SUPPORT.closed ? '已关闭' : assigneeText(row, ownAccount)}
            </span>
            {row.unread > 0 && (
              <span className="ht-support-badge" aria-label={`${row.unread} 条未读`}>
                {shortCount(row.unread)}
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The time for today, the date for other days. */
function shortTime(at: number, zone: string): string {
  const [text, now] = [formatTime(at, zone), formatTime(Date.now(), zone)];
  return text.slice(0, 10) === now.slice(0, 10) ? text.slice(11, 16) : text.slice(5, 10);
}

const Skeleton = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 8 }, (_, i) => (
      <span key={i} className="ht-page-skeleton-line ht-support-skeleton" />
    ))}
  </div>
);
