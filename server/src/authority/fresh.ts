import { createHash } from 'node:crypto';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { FRESH_MINUTES, type FactorsAsked, OTP_SETUP_DUE } from '@hengtai/contract/house/otp/calls';
import { PASSWORD_CHANGE_DUE } from '@hengtai/contract/house/session/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type SentCall, callText } from '@hengtai/contract/wire/stable-json';
import type { Caller, Codes, Ctx } from '../app/context.ts';
import { type Refused, refuse } from '../app/refuse.ts';
import { hasProof } from './passkey-proof.store.ts';

const FRESH_MS = FRESH_MINUTES * 60_000;

/** The digest that an assertion of a passkey confirms a call by. */
export const digestOf = (call: SentCall): string => createHash('sha256').update(callText(call)).digest('hex');

/** @throws Refused 428 while the operator has to change its password or set up a second factor first */
export function requireSetUp({ codes }: Pick<Caller, 'codes'>, call: CallSpec): void {
  if (call.allowedBeforeSetup) return;
  if (codes.passwordDue) throw refuse(refusals.passwordChangeDue, undefined, PASSWORD_CHANGE_DUE);
  if (codes.passkeyDue) throw refuse(refusals.passkeySetupDue, undefined, OTP_SETUP_DUE);
  if (codes.due) throw refuse(refusals.otpSetupDue, undefined, OTP_SETUP_DUE);
}

/**
 * @throws Refused 428 when the call needs a second factor, this session gave no code within `FRESH_MINUTES`, and no passkey
 *   confirmed this call
 */
export async function requireFreshCode(
  ctx: Pick<Ctx, 'codes' | 'now' | 'sessionId' | 'digest' | 'db'>,
  call: CallSpec,
): Promise<void> {
  const { codes, now } = ctx;
  if (!call.fresh) return;
  if (!codes.hasFactor) {
    if (codes.demanded && !call.allowedBeforeSetup) throw refuse(refusals.otpSetupDue, undefined, OTP_SETUP_DUE);
    return;
  }
  if (codes.freshAt !== null && now - codes.freshAt < FRESH_MS) return;
  if (codes.passkey && (await isConfirmed(ctx))) return;
  throw refuseFactor(codes);
}

/** 428 that names the factors which the operator may give. */
export const refuseFactor = ({ passkey, code }: Pick<Codes, 'passkey' | 'code'>): Refused =>
  passkey
    ? refuse(code ? refusals.freshFactor : refusals.passkeyDue, undefined, { passkey, code } satisfies FactorsAsked)
    : refuse(refusals.freshCode);

/** Whether a passkey confirmed exactly this call in this session. The call has a key, so it has its effect once. */
async function isConfirmed({
  db,
  sessionId,
  digest,
  now,
}: Pick<Ctx, 'db' | 'sessionId' | 'digest' | 'now'>): Promise<boolean> {
  return sessionId !== null && digest !== undefined && hasProof(db, sessionId, digest, now);
}
