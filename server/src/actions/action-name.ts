import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';

const names = new Map<CallSpec, string>(
  Object.entries<Readonly<Record<string, CallSpec>>>(nouns).flatMap(([noun, calls]) =>
    Object.entries(calls).map(([key, call]) => [call, call.name ?? `${noun}.${key}`]),
  ),
);

/**
 * Name of an action in audit rows and approvals: `noun.call`, or the name in its facts.
 *
 * @throws Error for a call that is not in the contract
 */
export function actionNameOf(call: CallSpec): string {
  const name = names.get(call);
  if (name === undefined) throw new Error(`The call ${call.path} is not in the contract.`);
  return name;
}
