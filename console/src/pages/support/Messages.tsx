import { SIDE } from '@hengtai/contract/support';
import { commandStates } from '@hengtai/contract/gateway';
import type { SupportMessage } from '@hengtai/contract/support.schema';
import { Button } from 'antd';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ErrorMessage } from '../../ui/ErrorMessage.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { StateMessage } from '../../ui/list-states.tsx';
import { useZone } from '../../ui/zone.ts';
import { MessageImage } from './MessageImage.tsx';
import { dayMark, freshCount } from './thread.ts';
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
  /** The newest message is in sight. */
  onSeen: (id: number) => void;
}

/** So near to the end counts as at the end. */
const NEAR = 48;
const LONG = 1_200;

/** One conversation, the newest at the foot. Give it the conversation's id as key, so that each begins at its end. */
export function Messages({ thread, outgoing, onRetry, onDrop, onReuse, onSeen }: Props) {
  const { list, more, pending, older } = thread;
  const zone = useZone();
  const { box, atEnd, seen, onScroll, toEnd } = useScroll(list, outgoing.length, older);
  const last = list.at(-1)?.id;
  useEffect(() => {
    if (atEnd && last !== undefined) onSeen(last);
  }, [atEnd, last, onSeen]);
  const fresh = atEnd ? 0 : freshCount(list, seen);

  return (
    <div className="sv-scroll-box">
      <div
        ref={box}
        className="sv-scroll"
        role="log"
        aria-label="消息"
        // Long conversations are scrolled by the keyboard as well.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={onScroll}
      >
        {more && (
          <p className="sv-older">
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
              {day && <p className="sv-day">{day}</p>}
              <Said message={message} onReuse={onReuse} />
            </Fragment>
          );
        })}
        {outgoing.map((one) => (
          <article
            key={one.key}
            className="sv-message"
            data-side={SIDE.operator}
            data-waiting={one.error === undefined}
          >
            <div className="sv-bubble">
              <Words text={one.text} />
              {one.image !== '' && <span className="ht-faint">[图片]</span>}
            </div>
            {one.error ? (
              <div className="sv-failed">
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
      {fresh > 0 && (
        <Button className="sv-fresh" size="small" type="primary" onClick={toEnd}>
          有 {fresh} 条新消息
        </Button>
      )}
    </div>
  );
}

function Said({ message, onReuse }: { message: SupportMessage; onReuse: (text: string) => void }) {
  const { id, side, text, image, by, delivery, fault: error, createdAt } = message;
  return (
    <article className="sv-message" data-side={side} data-id={id}>
      <div className="sv-bubble">
        {text !== '' && <Words text={text} />}
        {image !== '' && <MessageImage id={id} image={image} />}
      </div>
      <footer>
        {side === SIDE.operator && <span>{by ?? '其他客服'}</span>}
        <Time value={createdAt} clock />
        {delivery !== null && <StateTag state={delivery} labels={commandStates} tones={deliveryTones} />}
        {delivery === 3 && (
          <>
            {error !== '' && <bdi className="sv-why">{error}</bdi>}
            <Button size="small" type="link" className="ht-action" onClick={() => onReuse(text)}>
              再次填入
            </Button>
          </>
        )}
      </footer>
    </article>
  );
}

/** Plain text as it was written: no markup is read, and no sign in it turns what stands around it. */
function Words({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > LONG;
  return (
    <>
      <p className="sv-text" dir="auto">
        {long && !whole ? `${Array.from(text.slice(0, LONG)).slice(0, -1).join('')}…` : text}
      </p>
      {long && (
        <Button size="small" type="link" className="ht-action" onClick={() => setWhole(!whole)}>
          {whole ? '收起' : `展开全部（${text.length} 字）`}
        </Button>
      )}
    </>
  );
}

/** Stays at the end while somebody is there, and where it is while older messages come in above. */
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
    const { first: former, height, end } = before.current;
    if (end) element.scrollTop = element.scrollHeight;
    else if (former !== 0 && first !== 0 && first < former) element.scrollTop += element.scrollHeight - height;
    before.current = { ...before.current, first, last, waiting, height: element.scrollHeight };
  }, [first, last, waiting]);

  // DocumentImages grow after they were placed.
  useEffect(() => {
    const element = box.current;
    if (!element || last + waiting === 0) return undefined;
    const watch = new ResizeObserver(() => {
      if (before.current.end) element.scrollTop = element.scrollHeight;
    });
    for (const child of element.children) watch.observe(child);
    return () => watch.disconnect();
  }, [last, waiting]);

  const settle = (end: boolean) => {
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
      settle(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR);
      if (element.scrollTop < NEAR) void older();
    },
    toEnd: () => {
      settle(true);
      box.current?.scrollTo({ top: box.current.scrollHeight });
    },
  };
}
