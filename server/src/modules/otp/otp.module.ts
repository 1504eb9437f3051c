import type { Module } from '../module.ts';
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
} satisfies Module<'otp'>;
