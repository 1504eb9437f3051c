import { useState } from 'react';
import { settle } from '../api/display-error.ts';
import { newKey } from '../api/hooks.ts';
import type { DisplayError } from '../ui/value/display-error.ts';

/** The fields of a dialog that saves them. A changed input is a new request and needs a new idempotency key. */
export function useSaveForm<F extends object>(initial: F | (() => F)) {
  const [fields, setFields] = useState(initial);
  const [key, setKey] = useState(newKey);
  const [error, setError] = useState<DisplayError>();
  const [isDirty, setDirty] = useState(false);
  return {
    fields,
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
    /** Sends the request, and shows its refusal. */
    run: async (work: (key: string) => Promise<void>) => setError(await settle(async () => work(key))),
  };
}
