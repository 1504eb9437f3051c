import { createHmac } from 'node:crypto';
import type { OtpRecovery, OtpSetup } from '@hengtai/contract/otp.schema';
import { PASSWORD, type TestOperator, makeOperator } from './factories.ts';
import { type TestServer, call } from './server.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const STEP = 30_000;

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Computes a one-time code (RFC 6238) without the server's library, so that the library itself is tested. */
export function codeAt(secret: string, ms: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / STEP)));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** Returns a code that is invalid for all nearby time steps. */
export function wrongCode(secret: string, ms: number): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(secret, ms + steps * STEP));
  return ['123456', '234567', '345678', '456789', '567890', '678901'].find((code) => !near.includes(code)) ?? '';
}

export interface CodedOperator extends TestOperator {
  secret: string;
  recovery: string[];
}

/**
 * Enables one-time codes for a logged-in operator. Moves the clock one step, so that a new code is valid afterwards.
 */
export async function turnOn(server: TestServer, token: string, password = PASSWORD): Promise<CodedOperator> {
  const made = await call<OtpSetup>(server, 'POST', 'otp/setup', { password }, { token });
  if (made.code !== 200) throw new Error(`otp/setup: ${made.msg}`);
  const { secret } = made.data;
  const code = codeAt(secret, server.clock.now());
  const done = await call<OtpRecovery>(server, 'POST', 'otp/confirm', { code }, { token });
  if (done.code !== 200) throw new Error(`otp/confirm: ${done.msg}`);
  server.clock.move(STEP);
  return { id: 0, account: '', token, secret, recovery: done.data.recovery };
}

/** Creates an agent as `makeOperator` does, with one-time codes enabled. */
export async function makeCoded(
  server: TestServer,
  admin: string,
  options: Parameters<typeof makeOperator>[2] = {},
): Promise<CodedOperator> {
  const agent = await makeOperator(server, admin, options);
  return { ...(await turnOn(server, agent.token)), ...agent };
}
