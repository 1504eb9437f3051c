import { CODE } from '@hengtai/contract/wire/envelope';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { recordRefusal } from '../actions/action-audit.ts';
import { type RegisteredAction, performAction } from '../actions/action.ts';
import { type Answer, keyFor } from '../actions/idempotency.ts';
import type { App, Caller } from '../app/context.ts';
import { Refused } from '../app/refuse.ts';

interface Bulk {
  app: App;
  caller: Caller;
  call: Endpoint['call'];
  each: RegisteredAction<unknown, unknown>;
}

/** Runs one transaction per id. A refusal does not undo other ids; it is returned with its id. */
export async function actOnEach(
  bulk: Bulk,
  ids: readonly number[],
  shared: object,
  key: string | undefined,
): Promise<Answer> {
  const results: { id: number; code: number; msg: string }[] = [];
  for (const id of ids) {
    const input = { ...shared, id };
    try {
      const own = key === undefined ? undefined : keyFor(`${key}:${id}`, bulk.call.path, input);
      const { code, msg } = await performAction(bulk.app, bulk.caller, bulk.each, input, own);
      results.push({ id, code, msg });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await recordRefusal(bulk.app, bulk.caller, bulk.each.name, error, input);
      results.push({ id, code: error.refusal.code, msg: error.message });
    }
  }
  return { code: CODE.ok, msg: '操作成功', data: { results } };
}
