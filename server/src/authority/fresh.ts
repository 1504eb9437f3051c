import { createHash } from 'node:crypto';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { FRESH_MINUTES, type FactorsAsked, OTP_SETUP_DUE } from '@hengtai/contract/house/otp/calls';
import { PASSWORD_CHANGE_DUE } from '@hengtai/contract/house/session/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type SentCall, callText } from '@hengtai/contract/wire/stable-json';
import type { Caller, Ctx, FactorState } from '../app/context.ts';
import { type Refused, refuse } from '../app/refuse.ts';
import { hasProof } from './passkey-proof.store.ts';

const FRESH_MS = FRESH_MINUTES * 60_000;

/** The digest that an assertion of a passkey confirms a call by. */
export const digestOf = (call: SentCall): string => createHash('sha256').update(callText(call)).digest('hex');

/** @throws Refused 428 while the operator has to change its password or set up a second factor first */
export function requireSetUp({ factors }: Pick<Caller, 'factors'>, call: CallSpec): void {
  if (call.allowedBeforeSetup) return;
  if (factors.isPasswordDue) throw refuse(refusals.passwordChangeDue, undefined, PASSWORD_CHANGE_DUE);
  if (factors.isPasskeyDue) throw refuse(refusals.passkeySetupDue, undefined, OTP_SETUP_DUE);
  if (factors.isSetupDue) throw refuse(refusals.otpSetupDue, undefined, OTP_SETUP_DUE);
}

/**
 * @throws Refused 428 when the call needs a second factor, this session gave no code within `FRESH_MINUTES`, and no passkey
 *   confirmed this call
 */
export async function requireFreshCode(
  ctx: Pick<Ctx, 'factors' | 'now' | 'sessionId' | 'digest' | 'db'>,
  call: CallSpec,
): Promise<void> {
  const { factors, now } = ctx;
  if (!call.fresh) return;
  if (!factors.hasFactor) {
    if (factors.isFactorRequired && !call.allowedBeforeSetup)
      throw refuse(refusals.otpSetupDue, undefined, OTP_SETUP_DUE);
    return;
  }
  if (factors.freshAt !== null && now - factors.freshAt < FRESH_MS) return;
  if (factors.hasPasskey && (await isConfirmed(ctx))) return;
  throw refuseFactor(factors);
}

/** 428 that names the factors which the operator may give. */
export const refuseFactor = ({ hasPasskey, acceptsCode }: Pick<FactorState, 'hasPasskey' | 'acceptsCode'>): Refused =>
  hasPasskey
    ? refuse(acceptsCode ? refusals.freshFactor : refusals.passkeyDue, undefined, {
        passkey: hasPasskey,
        code: acceptsCode,
      } satisfies FactorsAsked)
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
