import type { CallSpec, OutputOf } from '@hengtai/contract/endpoint';
import { CODE } from '@hengtai/contract/envelope';
import { CallError, sendInSession } from './client.ts';

/**
 * Sends a file as the body of a call that takes one, with its fields in the query string.
 *
 * @throws CallError if the server refuses
 * @throws NetworkError without a response
 */
export async function sendUpload<C extends CallSpec>(
  call: C,
  fields: object,
  file: Blob,
  key: string,
): Promise<OutputOf<C>> {
  const answer = await sendInSession(call, fields, { key, file });
  if (answer.code !== CODE.ok) throw new CallError(answer);
  return answer.data as OutputOf<C>;
}
