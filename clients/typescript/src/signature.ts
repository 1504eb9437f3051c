import { createHmac, timingSafeEqual } from 'node:crypto';

/** The text that both sides sign: time, method, path with query as sent, and raw body. */
const signedText = (time: string, method: string, path: string, body: string): string =>
  `${time}\n${method}\n${path}\n${body}`;

/**
 * Signs a call.
 *
 * @param time value of `x-time`, unix milliseconds; with a nonce, a space and the value of `x-nonce` behind it
 * @param path path with query, exactly as sent
 * @param body raw body; empty for GET
 * @returns value of `x-signature`, lower-case hexadecimal
 */
export const sign = (secret: string, time: string, method: string, path: string, body: string): string =>
  createHmac('sha256', secret)
    .update(signedText(time, method, path, body))
    .digest('hex');

/** The largest difference between `x-time` and the clock of the receiver. */
const WINDOW_MS = 5 * 60_000;

export interface SignedRequest {
  method: string;
  /** Path with query, exactly as received. */
  path: string;
  /** Headers as Node.js or a `Headers` object has them. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Raw body as received. Parsing and formatting it again would change its bytes. */
  body: string | Uint8Array;
}

export interface Credentials {
  key: string;
  secret: string;
}

export type SignatureFault = 'unknown_key' | 'invalid_time' | 'clock_skew' | 'bad_signature';

/**
 * Checks a webhook of the back office. Compares in constant time, and accepts times within five minutes.
 *
 * @param credentials all pairs that are valid now: two during a rotation
 * @param now unix milliseconds
 * @returns what is wrong, or undefined if the request is authentic
 */
export function checkWebhook(
  request: SignedRequest,
  credentials: readonly Credentials[],
  now: number = Date.now(),
): SignatureFault | undefined {
  const time = headerOf(request, 'x-time');
  const found = credentials.find(({ key }) => isEqualText(headerOf(request, 'x-key'), key));
  if (!found) return 'unknown_key';
  if (!/^\d{1,16}$/.test(time)) return 'invalid_time';
  if (Math.abs(Number(time) - now) > WINDOW_MS) return 'clock_skew';
  const expected = createHmac('sha256', found.secret)
    .update(signedText(time, request.method, request.path, ''))
    .update(request.body)
    .digest('hex');
  return isEqualText(headerOf(request, 'x-signature'), expected) ? undefined : 'bad_signature';
}

function headerOf({ headers }: SignedRequest, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : '';
}

/** Hashing first makes the lengths equal, as `timingSafeEqual` requires. */
function isEqualText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
