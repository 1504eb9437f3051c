import { useState } from 'react';
import { settle } from '../../api/display-error.ts';
import { newKey } from '../../api/hooks.ts';
import type { DisplayError } from '../../ui/display-error.ts';

/** The fields of a dialog. A changed input is a new request and needs a new idempotency key. */
export function useFields<F extends object>(initial: F) {
  const [fields, setFields] = useState(initial);
  const [key, setKey] = useState(newKey);
  const [error, setError] = useState<DisplayError>();
  const [isDirty, setDirty] = useState(false);
  const change = (part: Partial<F>) => {
    setFields({ ...fields, ...part });
    setKey(newKey());
    setError(undefined);
    setDirty(true);
  };
  const run = async (work: (key: string) => Promise<void>) => setError(await settle(async () => work(key)));
  return { fields, change, error, setError, isDirty, run };
}
