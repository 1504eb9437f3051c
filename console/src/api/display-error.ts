import { CODE, type Moved } from '@hengtai/contract/envelope';
import type { DisplayError } from '../ui/display-error.ts';
import { CallError, NetworkTrouble } from './client.ts';

/** The page is older than the server, or the other way round. */
export class OutdatedPage extends Error {}

const isMoved = (data: unknown): data is Moved =>
  typeof data === 'object' && data !== null && 'state' in data && typeof data.state === 'number' && 'by' in data;

const isBlockers = (data: unknown): data is NonNullable<DisplayError['blockers']> =>
  Array.isArray(data) &&
  data.length > 0 &&
  data.every((one: unknown) => typeof one === 'object' && one !== null && 'what' in one && 'text' in one);

/** Any failure of a call, in words to show. */
export function toDisplayError(error: unknown): DisplayError {
  if (error instanceof CallError) {
    const { code, msg, requestId } = error;
    // The record did not move: things stand in the way that can be dealt with, and then it can be tried again.
    if (code === CODE.conflict && isBlockers(error.data))
      return { kind: 'refused', msg, requestId, blockers: error.data };
    if (code === CODE.conflict)
      return { kind: 'conflict', msg, requestId, moved: isMoved(error.data) ? error.data : undefined };
    if (code === CODE.forbidden) return { kind: 'forbidden', msg, requestId };
    // The server may have stopped in the middle, so it is not known whether it was done.
    if (code === CODE.internalError || code === CODE.unavailable) return { kind: 'unknown', msg, requestId };
    return { kind: 'refused', msg, requestId };
  }
  if (error instanceof NetworkTrouble) return { kind: 'unknown', msg: '网络异常，未收到服务器的答复' };
  if (error instanceof OutdatedPage) return { kind: 'outdated', msg: '系统已更新，请刷新页面' };
  return { kind: 'broken', msg: error instanceof Error && error.message ? error.message : '发生未知错误' };
}

/** Runs an action; undefined when it is done, else why not. */
export async function settle(action: () => Promise<unknown>): Promise<DisplayError | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return toDisplayError(error);
  }
}
