import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_WINDOW_MS, signedText } from '@hengtai/contract/gateway';
import type { FastifyRequest } from 'fastify';
import type { App } from '../core/context.ts';
import { type PlatformKey, listPlatformKeys } from '../core/platform-key.ts';
import { CallRefused } from './call-refused.ts';

/**
 * Checks key and time of the headers, before the body is read.
 *
 * @throws CallRefused
 */
export function checkHeaders(app: App, request: FastifyRequest): void {
  const { 'x-time': time } = request.headers;
  if (!findKey(app, request)) throw new CallRefused('unknown_key');
  if (typeof time !== 'string' || !/^\d{1,16}$/.test(time)) throw new CallRefused('invalid_time');
  const serverTime = app.clock.now();
  if (Math.abs(Number(time) - serverTime) > SIGNATURE_WINDOW_MS) throw new CallRefused('clock_skew', { serverTime });
}

/**
 * Checks that the signature covers time, method, path with query, and the bytes of the body. Records the use of the key.
 *
 * @throws CallRefused
 */
export function checkSignature(app: App, request: FastifyRequest, body: Uint8Array): void {
  const { 'x-signature': signature, 'x-time': time } = request.headers;
  const found = findKey(app, request);
  if (!found || typeof signature !== 'string' || typeof time !== 'string') throw new CallRefused('bad_signature');
  const head = signedText(time, request.method, request.raw.url ?? '', '');
  const expected = createHmac('sha256', found.secret).update(head).update(body).digest('hex');
  if (!isEqualText(signature, expected)) throw new CallRefused('bad_signature');
  app.state.platformKeyUses.set(found.key, app.clock.now());
}

/** The key that the headers name: the newest, or during a rotation the one before it. */
function findKey(app: App, { headers: { 'x-key': key } }: FastifyRequest): PlatformKey | undefined {
  return typeof key === 'string' ? listPlatformKeys(app.platform).find((one) => isEqualText(key, one.key)) : undefined;
}

/** Compares in constant time; hashing first makes the lengths equal, as `timingSafeEqual` requires. */
function isEqualText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
