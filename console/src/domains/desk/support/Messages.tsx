import { SUPPORT_SIDE } from '@hengtai/contract/desk/support/calls';
import { commandStates } from '@hengtai/contract/house/command/facts';
import type { SupportMessage } from '@hengtai/contract/desk/support/schema';
import { Button } from 'antd';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { StateMessage } from '../../../ui/table/list-states.tsx';
import { useZone } from '../../../ui/value/zone.ts';
import { MessageImage } from './MessageImage.tsx';
import { dayMark, countNewer } from './thread.ts';
import type { Outgoing } from './use-outbox.ts';
import type { Thread } from './use-thread.ts';
import { deliveryTones } from './words.ts';

interface Props {
  thread: Thread;
  outgoing: readonly Outgoing[];
  onRetry: (key: string) => void;
  onDrop: (key: string) => void;
  /** Puts the text back into the composer, to be sent again. */
  onReuse: (text: string) => void;
  /** Called when the newest message is visible. */
  onSeen: (id: number) => void;
}

/** Within this distance in pixels the scroll position counts as the end. */
const END_DISTANCE_PX = 48;
const LONG_TEXT = 1_200;

/** The messages of one conversation, newest last. Use the conversation id as key, so that each starts at its end. */
export function Messages({ thread, outgoing, onRetry, onDrop, onReuse, onSeen }: Props) {
  const { list, more, pending, older } = thread;
  const zone = useZone();
  const { box, atEnd, seen, onScroll, toEnd } = useScroll(list, outgoing.length, older);
  const last = list.at(-1)?.id;
  useEffect(() => {
    if (atEnd && last !== undefined) onSeen(last);
  }, [atEnd, last, onSeen]);
  const newCount = atEnd ? 0 : countNewer(list, seen);

  return (
    <div className="ht-support-scroll-box">
      <div
        ref={box}
        className="ht-support-scroll"
        role="log"
        aria-label="消息"
        // Focusable, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
      >
        {more && (
          <p className="ht-support-older">
            <Button size="small" type="text" onClick={() => void older()}>
              查看更早的消息
            </Button>
          </p>
        )}
        {!pending && list.length === 0 && outgoing.length === 0 && <StateMessage mark="empty" title="还没有消息" />}
        {list.map((message, index) => {
          const day = dayMark(list, index, zone);
          return (
            <Fragment key={message.id}>
              {day && <p className="ht-support-day">{day}</p>}
              <Message message={message} onReuse={onReuse} />
            </Fragment>
          );
        })}
        {outgoing.map((one) => (
          <article
            key={one.key}
            className="ht-support-message"
            data-side={SUPPORT_SIDE.operator}
            data-waiting={one.error === undefined}
          >
            <div className="ht-support-bubble">
              <MessageText text={one.text} />
              {one.image !== '' && <span className="ht-value-faint">[图片]</span>}
            </div>
            {one.error ? (
              <div className="ht-support-failed">
                <ErrorMessage error={one.error} />
                <Button size="small" onClick={() => onRetry(one.key)}>
                  重新发送
                </Button>
                <Button size="small" type="text" onClick={() => onDrop(one.key)}>
                  放弃
                </Button>
              </div>
            ) : (
              <footer>发送中…</footer>
            )}
          </article>
        ))}
      </div>
      {newCount > 0 && (
        <Button className="ht-support-fresh" size="small" type="primary" onClick={toEnd}>
          有 {newCount} 条新消息
        </Button>
      )}
    </div>
  );
}

function Message({ message, onReuse }: { message: SupportMessage; onReuse: (text: string) => void }) {
  const { id, side, text, image, by, delivery, fault: error, createdAt } = message;
  return (
    <article className="ht-support-message" data-side={side} data-id={id}>
      <div className="ht-support-bubble">
        {text !== '' && <MessageText text={text} />}
        {image !== '' && <MessageImage id={id} image={image} />}
      </div>
      <footer>
        {side === SUPPORT_SIDE.operator && <span>{by ?? '其他客服'}</span>}
        <Time value={createdAt} clock />
        {delivery !== null && <StateTag state={delivery} labels={commandStates} tones={deliveryTones} />}
        {delivery === 3 && (
          <>
            {error !== '' && <bdi className="ht-support-why">{error}</bdi>}
            <Button size="small" type="link" className="ht-dialog-action" onClick={() => onReuse(text)}>
              再次填入
            </Button>
          </>
        )}
      </footer>
    </article>
  );
}

/** Plain text without markup. `dir` isolates it, so that bidirectional characters cannot reorder other text. */
function MessageText({ text }: { text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const isLong = text.length > LONG_TEXT;
  return (
    <>
      <p className="ht-support-text" dir="auto">
        {isLong && !isExpanded ? `${Array.from(text.slice(0, LONG_TEXT)).slice(0, -1).join('')}…` : text}
      </p>
      {isLong && (
        <Button size="small" type="link" className="ht-dialog-action" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? '收起' : `展开全部（${text.length} 字）`}
        </Button>
      )}
    </>
  );
}

/** Keeps the scroll position at the end while it is there, and unchanged while older messages load above. */
function useScroll(list: readonly SupportMessage[], waiting: number, older: () => Promise<void>) {
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const [seen, setSeen] = useState(0);
  const before = useRef({ first: 0, last: 0, waiting: 0, height: 0, end: true });
  const first = list[0]?.id ?? 0;
  const last = list.at(-1)?.id ?? 0;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { first: previousFirst, height, end } = before.current;
    if (end) element.scrollTop = element.scrollHeight;
    else if (previousFirst !== 0 && first !== 0 && first < previousFirst)
      element.scrollTop += element.scrollHeight - height;
    before.current = { ...before.current, first, last, waiting, height: element.scrollHeight };
  }, [first, last, waiting]);

  // Images change the height after they have loaded.
  useEffect(() => {
    const element = box.current;
    if (!element || last + waiting === 0) return undefined;
    const observer = new ResizeObserver(() => {
      if (before.current.end) element.scrollTop = element.scrollHeight;
    });
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [last, waiting]);

  const updateAtEnd = (end: boolean) => {
    before.current.end = end;
    if (end !== atEnd) {
      setAtEnd(end);
      if (!end) setSeen(last);
    }
  };
  return {
    box,
    atEnd,
    seen,
    onScroll: () => {
      const element = box.current;
      if (!element) return;
      before.current.height = element.scrollHeight;
      updateAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < END_DISTANCE_PX);
      if (element.scrollTop < END_DISTANCE_PX) void older();
    },
    toEnd: () => {
      updateAtEnd(true);
      box.current?.scrollTo({ top: box.current.scrollHeight });
    },
  };
}
