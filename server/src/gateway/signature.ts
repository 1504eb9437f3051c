import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_WINDOW_MS, signedText } from '@hengtai/contract/gateway';
import type { FastifyRequest } from 'fastify';
import type { App } from '../core/context.ts';

/** Whether key and time of the headers are valid. Runs before the body is read. */
export function hasValidHeaders(app: App, request: FastifyRequest): boolean {
  const { 'x-key': key, 'x-time': time } = request.headers;
  if (typeof key !== 'string' || !isEqualText(key, app.platform.key)) return false;
  if (typeof time !== 'string' || !/^\d{1,16}$/.test(time)) return false;
  return Math.abs(Number(time) - app.clock.now()) <= SIGNATURE_WINDOW_MS;
}

/** Whether the signature covers time, method, path with query and raw body. */
export function hasValidSignature(app: App, request: FastifyRequest, rawBody: string): boolean {
  const { 'x-signature': signature, 'x-time': time } = request.headers;
  if (typeof signature !== 'string' || typeof time !== 'string') return false;
  const text = signedText(time, request.method, request.raw.url ?? '', rawBody);
  return isEqualText(signature, createHmac('sha256', app.platform.secret).update(text).digest('hex'));
}

/** Compares in constant time; hashing first makes the lengths equal, as `timingSafeEqual` requires. */
function isEqualText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
