import type { CallSpec } from '@hengtai/contract/endpoint';
import { FRESH_MINUTES, OTP_SETUP_DUE } from '@hengtai/contract/otp';
import { PASSWORD_CHANGE_DUE } from '@hengtai/contract/session';
import { refusals } from '@hengtai/contract/refusals';
import type { Caller } from '../core/context.ts';
import { refuse } from '../core/refuse.ts';

const FRESH_MS = FRESH_MINUTES * 60_000;

/** @throws Refused 428 while the operator has to change its password or set up one-time codes first */
export function requireSetUp({ codes }: Pick<Caller, 'codes'>, call: CallSpec): void {
  if (call.allowedBeforeSetup) return;
  if (codes.passwordDue) throw refuse(refusals.passwordChangeDue, undefined, PASSWORD_CHANGE_DUE);
  if (codes.due) throw refuse(refusals.otpSetupDue, undefined, OTP_SETUP_DUE);
}

/** @throws Refused 428 when the call needs a one-time code and this session gave none within `FRESH_MINUTES` */
export function requireFreshCode({ codes, now }: Pick<Caller, 'codes' | 'now'>, call: CallSpec): void {
  if (!call.fresh) return;
  if (!codes.on) {
    if (codes.demanded) throw refuse(refusals.otpSetupDue, undefined, OTP_SETUP_DUE);
    return;
  }
  if (codes.freshAt === null || now - codes.freshAt >= FRESH_MS) throw refuse(refusals.freshCode);
}
