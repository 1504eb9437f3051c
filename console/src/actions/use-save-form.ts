import type { CallSpec, InputOf, OutputOf } from '@hengtai/contract/wire/endpoint';
import { useState } from 'react';
import { settle } from '../api/display-error.ts';
import { type Outcome, newKey, useAction } from '../api/hooks.ts';
import type { DisplayError } from '../ui/value/display-error.ts';

/**
 * The fields of a dialog and the call that saves them. A changed input is a new request and needs a new idempotency key.
 */
export function useSaveForm<C extends CallSpec, F extends object>(call: C, initial: F | (() => F)) {
  const { submit, pending } = useAction(call);
  const [fields, setFields] = useState(initial);
  const [key, setKey] = useState(newKey);
  const [error, setError] = useState<DisplayError>();
  const [isDirty, setDirty] = useState(false);
  const run = async (work: (key: string) => Promise<void>) => setError(await settle(async () => work(key)));
  return {
    fields,
    pending,
    error,
    isDirty,
    change: (part: Partial<F>) => {
      setFields({ ...fields, ...part });
      setKey(newKey());
      setError(undefined);
      setDirty(true);
    },
    /** Says what is missing, without a request. */
    refuse: (msg: string) => setError({ kind: 'refused', msg }),
    /** Sends the request unless one is running, and shows its refusal. */
    save: async (input: InputOf<C>, onEnd: (outcome: Outcome<OutputOf<C>>) => void) => {
      if (!pending) await run(async () => onEnd(await submit(input, key)));
    },
    /** As `save`, for requests that the dialog sends itself. */
    run,
  };
}
