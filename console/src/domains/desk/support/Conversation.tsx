import { ABILITY } from '@hengtai/contract/authority/ability';
import { SUPPORT_SIDE, support } from '@hengtai/contract/desk/support/calls';
import { supportStates } from '@hengtai/contract/desk/support/facts';
import type { SupportMessage, SupportRow } from '@hengtai/contract/desk/support/schema';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { type Ref, useCallback, useEffect, useRef } from 'react';
import { send } from '../../../api/client.ts';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { AssignMenu } from './AssignMenu.tsx';
import { Composer } from './Composer.tsx';
import { CustomerPane } from './CustomerPane.tsx';
import { Messages } from './Messages.tsx';
import type { Outbox } from './use-outbox.ts';
import type { Thread } from './use-thread.ts';
import { NO_ABILITY, stateTones, closeDisabledReasonOf } from './words.ts';

export interface Draft {
  text: string;
  image: string;
}

interface Props {
  id: number;
  thread: Thread;
  outbox: Outbox;
  draft: Draft;
  inputRef: Ref<TextAreaRef>;
  onDraft: (draft: Draft) => void;
  /** Called when the list of conversations must be reloaded. */
  onRead: () => void;
  onManage: () => void;
}

/** One conversation: messages, composer and customer. */
export function Conversation({ id, thread, outbox, draft, inputRef, onDraft, onRead, onManage }: Props) {
  const hasAbility = useCan(ABILITY.users);
  const { admin: ownAccount } = useMe();
  const reading = useRead(support.detail, { id }, { keepPrevious: true, refetchMs: 30_000 });
  const { data: replies = [] } = useRead(support.replies, {}, { enabled: hasAbility, staleTime: 30_000 });
  const detail = reading.data?.row.id === id ? reading.data : undefined;
  const outgoing = outbox.list.filter((one) => one.id === id);
  const onSeen = useReadMarks(id, hasAbility && (detail?.row.unread ?? 0) > 0, thread.list, onRead);
  const onSend = () => {
    outbox.post(id, draft.text, draft.image);
    onDraft({ text: '', image: '' });
  };
  if (reading.error && !detail)
    return (
      <section className="ht-support-conversation-box" aria-label="会话内容">
        <ErrorState error={toDisplayError(reading.error)} onRetry={() => void reading.refetch()} />
      </section>
    );
  const placeholderValues = detail
    ? { 账号: detail.user.account, 用户编号: String(detail.user.id), 代理: detail.user.agent, 客服: ownAccount }
    : {};
  return (
    <>
      <section className="ht-support-conversation-box" aria-label="会话内容">
        {detail ? (
          <Head
            row={detail.row}
            hasAbility={hasAbility}
            ownAccount={ownAccount}
            last={thread.list.at(-1)?.id}
            isSending={outgoing.some(({ error }) => !error)}
          />
        ) : (
          <header className="ht-support-head" />
        )}
        {thread.error ? (
          <ErrorState error={thread.error} onRetry={thread.refetch} />
        ) : (
          <Messages
            key={id}
            thread={thread}
            outgoing={outgoing}
            onRetry={outbox.retry}
            onDrop={outbox.drop}
            onReuse={(text) => onDraft({ ...draft, text })}
            onSeen={onSeen}
          />
        )}
        <Composer
          disabledReason={hasAbility ? undefined : NO_ABILITY}
          text={draft.text}
          image={draft.image}
          replies={replies}
          placeholderValues={placeholderValues}
          inputRef={inputRef}
          onText={(text) => onDraft({ ...draft, text })}
          onImage={(image) => onDraft({ ...draft, image })}
          onSend={onSend}
          onManage={onManage}
        />
      </section>
      <CustomerPane detail={detail} ownAccount={ownAccount} />
    </>
  );
}

interface HeadProps {
  row: SupportRow;
  hasAbility: boolean;
  ownAccount: string;
  last: number | undefined;
  isSending: boolean;
}

function Head({ row, hasAbility, ownAccount, last, isSending }: HeadProps) {
  const { submit } = useAction(support.close);
  const close = () =>
    runWithErrorToast(() => submit({ id: row.id, seen: last ?? 0 }, newKey()), `已关闭会话 · ${row.account}`);
  return (
    <header className="ht-support-head">
      <h2 title={row.account}>{row.account}</h2>
      <StateTag state={row.state} labels={supportStates} tones={stateTones} />
      <span className="ht-support-gap" />
      <AssignMenu row={row} hasAbility={hasAbility} ownAccount={ownAccount} />
      <ConfirmableAction
        disabledReason={closeDisabledReasonOf(row, hasAbility, isSending)}
        question={`关闭与 ${row.account} 的会话？用户再发消息时会重新打开。`}
        onYes={close}
      >
        关闭会话
      </ConfirmableAction>
    </header>
  );
}

/** Marks visible messages as read, each once. Operators who cannot reply do not mark them. */
function useReadMarks(id: number, hasAbility: boolean, list: readonly SupportMessage[], onRead: () => void) {
  const { active } = usePageRoute();
  const lastMarked = useRef({ id: 0, upTo: 0 });
  const visibleUpTo = useRef(0);
  const markRead = useCallback(() => {
    const upTo = visibleUpTo.current;
    const markedUpTo = lastMarked.current.id === id ? lastMarked.current.upTo : 0;
    const unread = list.some((one) => one.side === SUPPORT_SIDE.user && one.id > markedUpTo && one.id <= upTo);
    if (!hasAbility || !active || document.hidden || !unread) return;
    lastMarked.current = { id, upTo };
    send(support.read, { id, upTo }, { key: newKey() }).then(
      onRead,
      () => (lastMarked.current = { id, upTo: markedUpTo }),
    );
  }, [id, hasAbility, active, list, onRead]);
  useEffect(() => {
    document.addEventListener('visibilitychange', markRead);
    return () => document.removeEventListener('visibilitychange', markRead);
  }, [markRead]);
  return useCallback(
    (upTo: number) => {
      visibleUpTo.current = upTo;
      markRead();
    },
    [markRead],
  );
}
