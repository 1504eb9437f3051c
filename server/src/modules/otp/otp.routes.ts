import type { HandlersOf } from '../../resources.ts';
import { otpConfirm, otpDisable, otpFresh, otpRecovery, otpSetup, otpState } from './otp.service.ts';

export const otpRoutes: HandlersOf<'otp'> = {
  state: otpState,
  setup: otpSetup,
  confirm: otpConfirm,
  disable: otpDisable,
  recovery: otpRecovery,
  fresh: otpFresh,
};
