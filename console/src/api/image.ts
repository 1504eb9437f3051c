import type { CallSpec, InputOf } from '@hengtai/contract/wire/endpoint';
import { useEffect, useState } from 'react';
import { sendFile } from './client.ts';

/** Loading state of an image that needs a session. */
export type ImageState = { kind: 'loading' } | { kind: 'shown'; url: string } | { kind: 'failed' };

const LOADING: ImageState = { kind: 'loading' };

/** Loads an image with the session token. The caller revokes the object URL; undefined if loading failed or was aborted. */
export async function loadImage<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const file = await sendFile(call, input, { signal });
    return 'blob' in file && !signal.aborted ? URL.createObjectURL(file.blob) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Loads an image with the session token while the component is visible. The object URL is revoked on unmount.
 *
 * @param input undefined to load nothing; must keep its identity while it means the same image
 */
export function useImage<C extends CallSpec>(call: C, input: InputOf<C> | undefined): ImageState {
  const [current, setCurrent] = useState<{ input: InputOf<C>; state: ImageState }>();
  useEffect(() => {
    if (input === undefined) return undefined;
    const abort = new AbortController();
    let url: string | undefined;
    const load = async (): Promise<ImageState> => {
      url = await loadImage(call, input, abort.signal);
      return url === undefined ? { kind: 'failed' } : { kind: 'shown', url };
    };
    void load().then((state) => abort.signal.aborted || setCurrent({ input, state }));
    return () => {
      abort.abort();
      if (url === undefined) return;
      URL.revokeObjectURL(url);
      setCurrent(undefined);
    };
  }, [call, input]);
  return current && current.input === input ? current.state : LOADING;
}
