import { randomInt } from 'node:crypto';
import { OTP_DIGITS, OTP_SECONDS, RECOVERY_CODES } from '@hengtai/contract/house/otp/calls';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'HengTai';
const SECRET_BYTES = 20;
/** Excludes look-alike characters. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const GROUPS = 3;
const GROUP = 4;

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

const generatorOf = (secret: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: OTP_DIGITS,
    period: OTP_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** The otpauth URI that the QR code contains. */
export const uriOf = (secret: string, account: string): string => generatorOf(secret, account).toString();

/**
 * The time step of a code; undefined when the code is wrong.
 *
 * @param window time steps that are accepted before and after the current one, because clocks differ
 */
export function stepOf(secret: string, code: string, now: number, window: number): number | undefined {
  const delta = generatorOf(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / 1000 / OTP_SECONDS) + delta;
}

export const isDigits = (code: string): boolean => code.length === OTP_DIGITS && /^\d+$/.test(code);

/** Normalizes a typed code: removes spaces and hyphens and converts to upper case. */
export const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** New recovery codes of 59 random bits each, with hyphens for readability. */
export const newRecoveryCodes = (): string[] => {
  const group = (): string => Array.from({ length: GROUP }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
};
