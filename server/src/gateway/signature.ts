import { createHmac, timingSafeEqual } from 'node:crypto';
import { NONCE_PATTERN, SIGNATURE_WINDOW_MS, signedTime, signedText } from '@hengtai/contract/gateway/gateway';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app/context.ts';
import { CallRefused } from './call-refused.ts';
import { takeNonce } from './gateway-key.store.ts';
import type { GatewayKey, Keyring } from './keyring.ts';

/**
 * Checks key and time of the headers, before the body is read.
 *
 * @throws CallRefused
 */
export async function checkHeaders(app: App, keyring: Keyring, request: FastifyRequest): Promise<GatewayKey> {
  const { 'x-time': time } = request.headers;
  const found = await findKey(keyring, request);
  if (!found) throw new CallRefused('unknown_key');
  if (typeof time !== 'string' || !/^\d{1,16}$/.test(time)) throw new CallRefused('invalid_time');
  const serverTime = app.clock.now();
  if (Math.abs(Number(time) - serverTime) > SIGNATURE_WINDOW_MS) throw new CallRefused('clock_skew', { serverTime });
  return found;
}

/**
 * Checks that the signature covers time, method, path with query, and the bytes of the body, and then what the key demands.
 * A caller without the secret learns nothing about the key. The key is looked up again, because it may have been revoked
 * while the body arrived. Records its use.
 *
 * @throws CallRefused
 */
export async function checkSignature(
  app: App,
  keyring: Keyring,
  request: FastifyRequest,
  body: Uint8Array,
): Promise<GatewayKey> {
  const { 'x-signature': signature, 'x-time': time, 'x-nonce': nonce } = request.headers;
  const found = await findKey(keyring, request);
  if (!found) throw new CallRefused('unknown_key');
  if (typeof signature !== 'string' || typeof time !== 'string') throw new CallRefused('bad_signature');
  const head = signedText(signedTime(time, nonce?.toString()), request.method, request.raw.url ?? '', '');
  const expected = createHmac('sha256', found.secret).update(head).update(body).digest('hex');
  if (!isEqualText(signature, expected)) throw new CallRefused('bad_signature');
  checkTerms(app, found, request);
  await takeNonceOf(app, found, nonce, Number(time));
  app.state.platformKeyUses.set(found.key, app.clock.now());
  return found;
}

/** @throws CallRefused if the key has expired, may not be used from the address, or demands a nonce that is missing */
export function checkTerms(
  app: App,
  { expiresAt, isAllowedAddress, demandsNonce }: GatewayKey,
  { ip: address, headers }: FastifyRequest,
): void {
  if (expiresAt !== null && app.clock.now() >= expiresAt) throw new CallRefused('key_expired');
  if (!isAllowedAddress(address)) throw new CallRefused('address_not_allowed', { address });
  if (demandsNonce && headers['x-nonce'] === undefined) throw new CallRefused('nonce_required');
}

const nonceForm = new RegExp(NONCE_PATTERN);

/**
 * A nonce is kept for twice the window after the time of its call, which covers servers whose clocks differ.
 *
 * @throws CallRefused if the nonce is malformed or used
 */
async function takeNonceOf(app: App, { key }: GatewayKey, nonce: unknown, time: number): Promise<void> {
  if (nonce === undefined) return;
  if (typeof nonce !== 'string' || !nonceForm.test(nonce)) throw new CallRefused('nonce_required');
  const use = { key, nonce, expiresAt: time + 2 * SIGNATURE_WINDOW_MS };
  if (!(await takeNonce(app.system, use))) throw new CallRefused('nonce_reused');
}

/** The valid key that the headers name. */
export async function findKey(
  keyring: Keyring,
  { headers: { 'x-key': key } }: FastifyRequest,
): Promise<GatewayKey | undefined> {
  return typeof key === 'string' ? keyring.find(key) : undefined;
}

/** Compares in constant time; hashing first makes the lengths equal, as `timingSafeEqual` requires. */
function isEqualText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
