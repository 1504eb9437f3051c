import { CODE } from '@hengtai/contract/wire/envelope';
import { type GatewayError, gatewayErrors } from '@hengtai/contract/gateway/errors';
import { Refused } from '../app/refuse.ts';

/** Thrown to refuse a call of the platform with one of the codes for its engineers. */
export class CallRefused extends Refused {
  readonly error: GatewayError;

  /** @param message replaces the message of the code */
  constructor(error: GatewayError, data: unknown = null, message: string = gatewayErrors[error].message) {
    super({ code: gatewayErrors[error].status, msg: gatewayErrors[error].message }, data, message);
    this.error = error;
  }
}

/** Refusals of modules that answer calls of the platform, and of the server itself. */
const errorOfCode: Partial<Record<number, GatewayError>> = {
  [CODE.forbidden]: 'forbidden',
  [CODE.notFound]: 'not_found',
  [CODE.tooLarge]: 'too_large',
  [CODE.invalid]: 'invalid',
  [CODE.unavailable]: 'unavailable',
};

export const toCallRefused = (refused: Refused): CallRefused =>
  refused instanceof CallRefused
    ? refused
    : new CallRefused(errorOfCode[refused.refusal.code] ?? 'internal_error', refused.data);
