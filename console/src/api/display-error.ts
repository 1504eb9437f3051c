import { CALL_TIMEOUT_MS } from '@hengtai/contract/wire/endpoint';
import { CODE, type RecordConflict, type StateConflict } from '@hengtai/contract/wire/envelope';
import type { DisplayError } from '../ui/value/display-error.ts';
import { CallError, NetworkError, TimeoutError } from './client.ts';

/** The response has an unexpected shape: page and server are of different versions. */
export class OutdatedPage extends Error {}

const isStateConflict = (data: unknown): data is StateConflict =>
  typeof data === 'object' && data !== null && 'state' in data && typeof data.state === 'number' && 'by' in data;

const isBlockers = (data: unknown): data is NonNullable<DisplayError['blockers']> =>
  Array.isArray(data) &&
  data.length > 0 &&
  data.every((item: unknown) => typeof item === 'object' && item !== null && 'what' in item && 'text' in item);

/** Converts an error of a call to the text and kind shown to the operator. */
export function toDisplayError(error: unknown): DisplayError {
  if (error instanceof CallError) {
    const { code, msg, requestId } = error;
    // Blockers can be removed by the operator, so the action stays available. The record itself did not change.
    if (code === CODE.conflict && isBlockers(error.data))
      return { kind: 'refused', msg, requestId, blockers: error.data };
    if (code === CODE.conflict) {
      // Only the conflict of a save has fields.
      const changed = (error.data as Partial<RecordConflict> | null)?.fields;
      const moved = !changed && isStateConflict(error.data) ? error.data : undefined;
      return { kind: 'conflict', msg, requestId, changed, moved };
    }
    if (code === CODE.forbidden) return { kind: 'forbidden', msg, requestId };
    // The server may have failed midway, so the outcome is unknown.
    if (code === CODE.internalError || code === CODE.unavailable) return { kind: 'unknown', msg, requestId };
    return { kind: 'refused', msg, requestId };
  }
  if (error instanceof TimeoutError)
    return { kind: 'unknown', isTimeout: true, msg: `${CALL_TIMEOUT_MS / 1_000} 秒内没有收到服务器的答复` };
  if (error instanceof NetworkError) return { kind: 'unknown', msg: '网络异常，未收到服务器的答复' };
  if (error instanceof OutdatedPage) return { kind: 'outdated', msg: '系统已更新，请刷新页面' };
  return { kind: 'broken', msg: error instanceof Error && error.message ? error.message : '发生未知错误' };
}

/** Runs an action; returns the error to display, or undefined on success. */
export async function settle(action: () => Promise<unknown>): Promise<DisplayError | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return toDisplayError(error);
  }
}
