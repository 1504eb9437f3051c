import { randomInt } from 'node:crypto';
import { OTP_DIGITS, OTP_SECONDS, RECOVERY_CODES } from '@hengtai/contract/otp';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'HengTai';
const SECRET_BYTES = 20;
/** Steps before and after the present one, for clocks that do not quite agree. */
const WINDOW = 1;

/** Without letters and digits that are taken for one another. */
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

/** What an authenticator reads from the QR code. */
export const uriOf = (secret: string, account: string): string => generatorOf(secret, account).toString();

/** The time step whose code this is, one before or after the present one included; undefined when it is none. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const delta = generatorOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / OTP_SECONDS) + delta;
}

export const isDigits = (code: string): boolean => code.length === OTP_DIGITS && /^\d+$/.test(code);

/** A code as it is typed: spaces, hyphens and small letters make no difference. */
export const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Fresh recovery codes, with hyphens to be read by; each has 59 bits. */
export const newRecoveryCodes = (): string[] => {
  const group = (): string => Array.from({ length: GROUP }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
};
