import { call } from '../../wire/endpoint.ts';
import { otpActions } from './facts.ts';
import type { OtpCode, OtpDisable, OtpOptionalCode, OtpPassword, OtpRecovery, OtpSetup, OtpState } from './schema.ts';
import type { EmptyInput } from '../session/schema.ts';

/** Digits of a one-time code, and its time step in seconds. */
export const OTP_DIGITS = 6;
export const OTP_SECONDS = 30;
/** A mutation that needs a fresh code is allowed for this long after a code was entered in the session. */
export const FRESH_MINUTES = 5;
/** Recovery codes issued together; each works once. */
export const RECOVERY_CODES = 10;
/** The console warns if fewer recovery codes are left. */
export const RECOVERY_CODES_LOW = 3;

/** Setting: every operator must set up one-time codes before anything else. */
export const OTP_REQUIRED = 'otp.required';
/** Setting: actions that need a fresh code are refused to operators without one-time codes. */
export const OTP_FRESH = 'otp.fresh';
/** Setting: only the code of the current time step is accepted, none of the step before or after it. */
export const OTP_EXACT = 'otp.exact';
/** Prefix of these settings; only the top-level admin changes them. */
export const OTP_PREFIX = 'otp.';

/** Data of a 428 answer: no code is accepted, because one-time codes must be set up first. */
export const OTP_SETUP_DUE = { setup: true } as const;
/** Data of a 428 answer to an operator with a passkey: which factors the call accepts. */
export interface FactorsAsked {
  passkey: true;
  code: boolean;
}
export const OTP_ENABLED = '一次性验证码已启用';
export const OTP_DISABLED = '一次性验证码已停用';
export const otpLabels = { 0: '未启用', 1: '已启用' } as const;

/**
 * The caller's own one-time codes. A `code` comes from the authenticator or is a recovery code. Where it is optional, an
 * operator with a passkey may prove its identity with that instead.
 */
export const otp = {
  state: call<EmptyInput, OtpState>()({
    method: 'GET',
    path: 'otp/state',
    summary: '一次性验证码状态',
    kind: 'session',
    allowedBeforeSetup: true,
  }),
  setup: call<OtpPassword, OtpSetup>()({
    ...otpActions.setup,
    method: 'POST',
    kind: 'session',
    allowedBeforeSetup: true,
    path: 'otp/setup',
    secret: true,
  }),
  confirm: call<OtpCode, OtpRecovery>()({
    ...otpActions.confirm,
    method: 'POST',
    kind: 'session',
    allowedBeforeSetup: true,
    path: 'otp/confirm',
    secret: true,
  }),
  disable: call<OtpDisable, null>()({
    ...otpActions.disable,
    method: 'POST',
    kind: 'session',
    allowedBeforeSetup: true,
    path: 'otp/disable',
  }),
  recovery: call<OtpOptionalCode, OtpRecovery>()({
    ...otpActions.recovery,
    method: 'POST',
    kind: 'session',
    allowedBeforeSetup: true,
    path: 'otp/recovery',
    secret: true,
  }),
  fresh: call<OtpCode, null>()({
    ...otpActions.fresh,
    method: 'POST',
    kind: 'session',
    allowedBeforeSetup: true,
    path: 'otp/fresh',
  }),
};
