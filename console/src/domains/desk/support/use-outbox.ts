import { support } from '@hengtai/contract/desk/support/calls';
import type { SupportMessage } from '@hengtai/contract/desk/support/schema';
import { useCallback, useRef, useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import type { DisplayError } from '../../../ui/value/display-error.ts';

/** A message that the server has not confirmed. Its idempotency key stays, so that a retry cannot send it twice. */
export interface Outgoing {
  key: string;
  /** The conversation. */
  id: number;
  text: string;
  /** Image as a data URL; empty if there is none. */
  image: string;
  error?: DisplayError | undefined;
}

export interface Outbox {
  list: readonly Outgoing[];
  post: (id: number, text: string, image: string) => void;
  retry: (key: string) => void;
  drop: (key: string) => void;
}

/** Sends messages one after the other in their order. A failed message stays until it is retried or dropped. */
export function useOutbox(onSent: (message: SupportMessage) => void): Outbox {
  const [list, setList] = useState<readonly Outgoing[]>([]);
  const { submit } = useAction(support.send);
  const queue = useRef(Promise.resolve());

  const run = useCallback(
    (one: Outgoing) => {
      const { key, id, text, image } = one;
      const sendOne = async () => {
        const error = await settle(async () => {
          const outcome = await submit({ id, text, ...(image === '' ? {} : { image }) }, key);
          if (outcome.kind === 'done') onSent(outcome.data);
        });
        setList((now) =>
          error
            ? now.map((other) => (other.key === key ? { ...other, error } : other))
            : now.filter((other) => other.key !== key),
        );
      };
      queue.current = queue.current.then(sendOne);
    },
    [submit, onSent],
  );
  const post = (id: number, text: string, image: string) => {
    const one: Outgoing = { key: newKey(), id, text, image };
    setList((now) => [...now, one]);
    run(one);
  };
  const retry = (key: string) => {
    const one = list.find((other) => other.key === key);
    if (!one?.error) return;
    setList((now) => now.map((other) => (other.key === key ? { ...other, error: undefined } : other)));
    run(one);
  };
  const drop = (key: string) => setList((now) => now.filter((other) => other.key !== key));
  return { list, post, retry, drop };
}
