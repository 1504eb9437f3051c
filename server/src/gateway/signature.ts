import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_WINDOW_MS, signedText } from '@hengtai/contract/gateway';
import type { FastifyRequest } from 'fastify';
import type { App } from '../core/context.ts';
import { type PlatformKey, listPlatformKeys } from '../core/platform-key.ts';

/** Whether key and time of the headers are valid. Runs before the body is read. */
export function hasValidHeaders(app: App, request: FastifyRequest): boolean {
  const { 'x-time': time } = request.headers;
  if (!findKey(app, request)) return false;
  if (typeof time !== 'string' || !/^\d{1,16}$/.test(time)) return false;
  return Math.abs(Number(time) - app.clock.now()) <= SIGNATURE_WINDOW_MS;
}

/** Whether the signature covers time, method, path with query and raw body. Records the use of the key. */
export function hasValidSignature(app: App, request: FastifyRequest, rawBody: string): boolean {
  const { 'x-signature': signature, 'x-time': time } = request.headers;
  const found = findKey(app, request);
  if (!found || typeof signature !== 'string' || typeof time !== 'string') return false;
  const text = signedText(time, request.method, request.raw.url ?? '', rawBody);
  const isValid = isEqualText(signature, createHmac('sha256', found.secret).update(text).digest('hex'));
  if (isValid) app.state.platformKeyUses.set(found.key, app.clock.now());
  return isValid;
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
