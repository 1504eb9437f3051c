import { createHmac } from 'node:crypto';
import type { OtpRecovery, OtpSetup } from '@hengtai/contract/house/otp/schema';
import { PASSWORD, type TestOperator, makeOperator } from './factories.ts';
import { type TestServer, call } from './server.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const STEP_MS = 30_000;

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Computes a one-time code (RFC 6238) without the server's library, so that the library itself is tested. */
export function codeAt(secret: string, ms: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / STEP_MS)));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** Returns a code that is invalid for all nearby time steps. */
export function wrongCode(secret: string, ms: number): string {
  const nearbyCodes = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, ms + steps * STEP_MS));
  return ['123456', '234567', '345678', '456789', '567890', '678901'].find((code) => !nearbyCodes.includes(code)) ?? '';
}

export interface OtpOperator extends TestOperator {
  secret: string;
  recoveryCodes: string[];
}

/**
 * Enables one-time codes for a logged-in operator. Moves the clock one step, so that a new code is valid afterwards.
 */
export async function enableOtp(server: TestServer, token: string, password = PASSWORD): Promise<OtpOperator> {
  const setup = await call<OtpSetup>(server, 'POST', 'otp/setup', { password }, { token });
  if (setup.code !== 200) throw new Error(`otp/setup: ${setup.msg}`);
  const { secret } = setup.data;
  const code = codeAt(secret, server.clock.now());
  const confirmation = await call<OtpRecovery>(server, 'POST', 'otp/confirm', { code }, { token });
  if (confirmation.code !== 200) throw new Error(`otp/confirm: ${confirmation.msg}`);
  server.clock.move(STEP_MS);
  return { id: 0, account: '', token, secret, recoveryCodes: confirmation.data.recovery };
}

/** Creates an agent as `makeOperator` does, with one-time codes enabled. */
export async function makeOtpOperator(
  server: TestServer,
  admin: string,
  options: Parameters<typeof makeOperator>[2] = {},
): Promise<OtpOperator> {
  const agent = await makeOperator(server, admin, options);
  return { ...(await enableOtp(server, agent.token)), ...agent };
}
