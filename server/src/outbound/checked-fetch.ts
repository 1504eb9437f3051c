import { readStart, sendRequest } from './http-request.ts';

/** More than any document of an identity provider needs. */
const ANSWER_MAX = 1_048_576;

const TIMEOUT_MS = 10_000;

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  /** A text or a form, whose type the headers name. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * A `fetch` for client libraries: to checked addresses only, which may be private, without redirects, and with a
 * bounded answer.
 *
 * @throws TypeError with the cause, as `fetch` does; the reason of the signal if it has ended the request
 */
export async function fetchChecked(
  address: string,
  { method, headers, body, signal = AbortSignal.timeout(TIMEOUT_MS) }: FetchOptions,
): Promise<Response> {
  try {
    const answer = await sendRequest(new URL(address), {
      method,
      headers,
      body: textOf(body),
      allowPrivate: true,
      signal,
    });
    const bytes = await readStart(answer, ANSWER_MAX + 1);
    if (bytes.length > ANSWER_MAX) throw new Error(`The answer has more than ${ANSWER_MAX} bytes.`);
    const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status: answer.statusCode ?? 0,
      headers: fields,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new TypeError('fetch failed', { cause: error });
  }
}

function textOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('The body is neither a text nor a form.');
}
