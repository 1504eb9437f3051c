import type { Module } from '../../module.ts';
import { otpCredential } from './otp.steps.ts';
import { otpConfirm, otpDisable, otpFresh, otpRecovery, otpSetup, otpState } from './otp.service.ts';

export const otpModule = {
  routes: {
    state: otpState,
    setup: otpSetup,
    confirm: otpConfirm,
    disable: otpDisable,
    recovery: otpRecovery,
    fresh: otpFresh,
  },
  credential: otpCredential,
} satisfies Module<'otp'>;
