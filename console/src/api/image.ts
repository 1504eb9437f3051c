import type { CallSpec, InputOf } from '@hengtai/contract/endpoint';
import { useEffect, useState } from 'react';
import { sendFile } from './client.ts';

/** What is known of a picture that only a session may have. */
export type Loaded = { kind: 'loading' } | { kind: 'shown'; url: string } | { kind: 'failed' };

const LOADING: Loaded = { kind: 'loading' };

/**
 * Reads a picture with the session's token, for as long as it is looked at: its address is good in this page only, and is
 * given up when the picture goes out of sight.
 *
 * @param input undefined where there is nothing to be read; the caller keeps it the same object while it means the same
 */
export function useImage<C extends CallSpec>(call: C, input: InputOf<C> | undefined): Loaded {
  const [read, setRead] = useState<{ of: InputOf<C>; loaded: Loaded }>();
  useEffect(() => {
    if (input === undefined) return undefined;
    const reading = new AbortController();
    let url: string | undefined;
    const load = async (): Promise<Loaded> => {
      try {
        const file = await sendFile(call, input, { signal: reading.signal });
        if (reading.signal.aborted) return LOADING;
        if (!('blob' in file)) return { kind: 'failed' };
        url = URL.createObjectURL(file.blob);
        return { kind: 'shown', url };
      } catch {
        return { kind: 'failed' };
      }
    };
    void load().then((loaded) => reading.signal.aborted || setRead({ of: input, loaded }));
    return () => {
      reading.abort();
      if (url === undefined) return;
      URL.revokeObjectURL(url);
      setRead(undefined);
    };
  }, [call, input]);
  return read && read.of === input ? read.loaded : LOADING;
}
