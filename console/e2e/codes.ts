import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Operator, api, expect, newOperator } from './desk.ts';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The TOTP code of a base32 secret (RFC 6238) for the current step of 30 seconds, or `stepsAhead` steps later. */
export function codeOf(secret: string, stepsAhead = 0): string {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + stepsAhead));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

export interface OtpOperator extends Operator {
  secret: string;
  recoveryCodes: string[];
}

/** A new operator with one-time codes enabled; the code of the current step is already used. */
export async function newOtpOperator(page: Page, abilities: readonly number[] = []): Promise<OtpOperator> {
  const operator = await newOperator(page, abilities);
  const { account, password } = operator;
  const { token = '' } = await api(page, 'POST', 'login', { account, password });
  const { secret } = (await api(page, 'POST', 'otp/setup', { password }, token)).data as { secret: string };
  const response = await api(page, 'POST', 'otp/confirm', { code: codeOf(secret) }, token);
  expect(response.msg).toBe('一次性验证码已启用');
  return { ...operator, secret, recoveryCodes: (response.data as { recovery: string[] }).recovery };
}
