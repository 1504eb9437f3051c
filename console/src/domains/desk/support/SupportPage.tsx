import './support.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { support } from '@hengtai/contract/desk/support/calls';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toDisplayError, settle } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { useOpenId, withOpenId } from '../../../lists/open-id.ts';
import { toast } from '../../../api/toast.ts';
import { usePageRoute, useTabGuard } from '../../../navigation/page-route.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { usePageShortcuts } from '../../../ui/table/page-shortcuts.ts';
import { useKeys } from '../../../ui/browser/keys.ts';
import { StateMessage } from '../../../ui/table/list-states.tsx';
import { Conversations } from './Conversations.tsx';
import { RepliesDialog } from './RepliesDialog.tsx';
import { type Draft, Conversation } from './Conversation.tsx';
import { useConversationUpdates } from './use-conversation-updates.ts';
import { useHeldRow } from './use-held-row.ts';
import { useOutbox } from './use-outbox.ts';
import { useThread } from './use-thread.ts';
import { inputOf, viewOf, withView } from './views.ts';
import { NO_ABILITY } from './words.ts';

const KEYS = [
  { keys: ['Enter'], what: '发送；Shift + Enter 换行（回复框中）' },
  { keys: ['/'], what: '查找快捷回复（回复框为空时）' },
];
const NO_DRAFT: Draft = { text: '', image: '' };
const REFETCH_MS = 15_000;

/** 客服: conversations, the messages of one of them and its customer. */
export function SupportPage() {
  const { search, setSearch, active } = usePageRoute();
  const { openId, open } = useOpenId();
  const { admin: ownAccount } = useMe();
  const hasAbility = useCan(ABILITY.users);
  const [isManaging, setManaging] = useState(false);
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map());
  const inputRef = useRef<TextAreaRef>(null);

  const input = inputOf(search);
  const list = useRead(support.list, input, { keepPrevious: true, refetchMs: active && REFETCH_MS });
  const rows = useHeldRow(list.data?.list, openId, JSON.stringify(input));
  const thread = useThread(openId, active);
  const outbox = useOutbox(thread.add);
  const { data: replies = [] } = useRead(support.replies, {}, { enabled: hasAbility && isManaging });
  const { refetch } = list;
  const client = useQueryClient();
  const refresh = useCallback(() => {
    void refetch();
    void client.invalidateQueries({ queryKey: [support.detail.path] });
  }, [refetch, client]);
  useConversationUpdates(active, () => {
    refresh();
    if (openId !== undefined) thread.refetch();
  });
  useConversationOfUser(search.get('userId'), (id) =>
    setSearch((now) => withoutUser(withOpenId(now, id)), { replace: true }),
  );
  useTabGuard(outbox.list.length > 0 || [...drafts.values()].some(({ text, image }) => text !== '' || image !== ''));

  usePageShortcuts(KEYS);
  const step = (by: number) => {
    if (!rows || rows.length === 0) return;
    const at = rows.findIndex(({ id }) => id === openId);
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next) open(next.id);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    Enter: () => inputRef.current?.focus(),
  });

  return (
    <div className="ht-page">
      <PageHeading title="客服" note={list.data && `共 ${list.data.total} 个会话`}>
        <GreyedAction
          look="button"
          disabledReason={hasAbility ? undefined : NO_ABILITY}
          onClick={() => setManaging(true)}
        >
          快捷回复
        </GreyedAction>
      </PageHeading>
      <div className="ht-support-columns">
        <Conversations
          key={search.get('account') ?? ''}
          rows={rows}
          total={list.data?.total ?? 0}
          page={input.page ?? 1}
          error={list.error ? toDisplayError(list.error) : undefined}
          view={viewOf(search)}
          account={search.get('account') ?? ''}
          openId={openId}
          ownAccount={ownAccount}
          onView={(view) => setSearch((now) => withView(now, view))}
          onAccount={(account) => setSearch((now) => withValue(now, 'account', account))}
          onPage={(page) => setSearch((now) => withValue(now, 'page', page > 1 ? String(page) : ''))}
          onOpen={open}
          onRetry={refresh}
        />
        {openId === undefined ? (
          <EmptyConversation
            userId={search.get('userId')}
            hasAbility={hasAbility}
            onOpened={(id) => setSearch((now) => withoutUser(withOpenId(now, id)), { replace: true })}
          />
        ) : (
          <Conversation
            key={openId}
            id={openId}
            thread={thread}
            outbox={outbox}
            draft={drafts.get(openId) ?? NO_DRAFT}
            inputRef={inputRef}
            onDraft={(draft) => setDrafts((now) => new Map(now).set(openId, draft))}
            onRead={refresh}
            onManage={() => setManaging(true)}
          />
        )}
      </div>
      {isManaging && <RepliesDialog replies={replies} onClose={() => setManaging(false)} />}
    </div>
  );
}

function withValue(search: URLSearchParams, field: string, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  if (field !== 'page') next.delete('page');
  if (value === '') next.delete(field);
  else next.set(field, value);
  return next;
}

const withoutUser = (search: URLSearchParams): URLSearchParams => withValue(search, 'userId', '');

const parseUserId = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

/** If the address has a user id, opens the conversation with that user if there is one. */
function useConversationOfUser(text: string | null, onFound: (id: number) => void) {
  const userId = parseUserId(text);
  const { data } = useRead(support.list, userId === undefined ? undefined : { userId, size: 1 });
  const conversationId = userId === undefined ? undefined : data?.list.find((row) => row.userId === userId)?.id;
  const listener = useRef(onFound);
  useEffect(() => {
    listener.current = onFound;
  });
  useEffect(() => {
    if (conversationId !== undefined) listener.current(conversationId);
  }, [conversationId]);
}

interface EmptyConversationProps {
  userId: string | null;
  hasAbility: boolean;
  onOpened: (id: number) => void;
}

/** Placeholder without an open conversation. It can start one with the user of the address. */
function EmptyConversation({ userId: text, hasAbility, onOpened }: EmptyConversationProps) {
  const userId = parseUserId(text);
  const { submit, pending } = useAction(support.open);
  const start = async () => {
    if (userId === undefined) return;
    const error = await settle(async () => {
      const outcome = await submit({ userId }, newKey());
      if (outcome.kind === 'done') onOpened(outcome.data.id);
    });
    if (error) toast.error(error.msg);
  };
  return (
    <section className="ht-support-conversation-box ht-support-nothing" aria-label="会话内容">
      {userId === undefined ? (
        <StateMessage mark="empty" title="选择一个会话">
          用 J、K 在会话之间移动。
        </StateMessage>
      ) : (
        <StateMessage
          mark="empty"
          title="该用户还没有会话"
          action={
            <Button type="primary" loading={pending} disabled={!hasAbility} onClick={() => void start()}>
              开始会话
            </Button>
          }
        >
          {hasAbility ? '开始后可以先给用户发消息。' : NO_ABILITY}
        </StateMessage>
      )}
    </section>
  );
}
