import type { CallSpec, OutputOf } from '@hengtai/contract/wire/endpoint';
import { CODE } from '@hengtai/contract/wire/envelope';
import { CallError, readAnswer, sendInSession, toQueryString } from './client.ts';

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
  const withFields = { ...call, path: call.path + toQueryString(fields) };
  // Also a JSON file is no JSON body. An upload may take longer than other calls, so it reads its answer itself.
  const body = file.slice(0, file.size, 'application/octet-stream');
  const answer = await sendInSession(withFields, undefined, { key, body, read: readAnswer });
  if (answer.code !== CODE.ok) throw new CallError(answer);
  return answer.data as OutputOf<C>;
}
