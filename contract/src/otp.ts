import { call } from './endpoint.ts';
import type { OtpCode, OtpDisable, OtpPassword, OtpRecovery, OtpSetup, OtpState } from './otp.schema.ts';
import type { Nothing } from './session.schema.ts';

/** Digits of a one-time code, and how long one stands in the authenticator. */
export const OTP_DIGITS = 6;
export const OTP_SECONDS = 30;
/** A mutation that needs a fresh code is done for this long after one was given in the same session. */
export const FRESH_MINUTES = 5;
/** Recovery codes are given out together; each opens the way once. */
export const RECOVERY_CODES = 10;
/** Fewer than this many left are worth a word. */
export const RECOVERY_FEW = 3;

/** Every operator has to set up one-time codes before anything else. */
export const OTP_REQUIRED = 'otp.required';
/** Actions that need a fresh code are refused to operators who have not set up any. */
export const OTP_FRESH = 'otp.fresh';
/** Settings about codes begin so; only the top-level admin changes them. */
export const OTP_PREFIX = 'otp.';

/** Says in the data of a 428 that no code will do: codes have to be set up first. */
export const OTP_SETUP_DUE = { setup: true } as const;
export const OTP_ENABLED = '一次性验证码已启用';
export const OTP_DISABLED = '一次性验证码已停用';
export const otpLabels = { 0: '未启用', 1: '已启用' } as const;

const own = { method: 'POST', kind: 'session', unready: true } as const;

/** One's own one-time codes. A `code` is what the authenticator shows, or a recovery code. */
export const otp = {
  state: call<Nothing, OtpState>()({
    method: 'GET',
    path: 'otp/state',
    summary: '一次性验证码状态',
    kind: 'session',
    unready: true,
  }),
  setup: call<OtpPassword, OtpSetup>()({ ...own, path: 'otp/setup', summary: '设置一次性验证码', secret: true }),
  confirm: call<OtpCode, OtpRecovery>()({ ...own, path: 'otp/confirm', summary: '启用一次性验证码', secret: true }),
  disable: call<OtpDisable, null>()({ ...own, path: 'otp/disable', summary: '停用一次性验证码' }),
  recovery: call<OtpCode, OtpRecovery>()({ ...own, path: 'otp/recovery', summary: '更换恢复码', secret: true }),
  fresh: call<OtpCode, null>()({ ...own, path: 'otp/fresh', summary: '验证一次性验证码' }),
};
