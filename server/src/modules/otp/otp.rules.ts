import { OTP_EXACT } from '@hengtai/contract/otp';
import type { App } from '../../core/context.ts';
import type { Db } from '../../postgres/connect.ts';
import { isOn } from '../../core/setting.store.ts';
import { isDigits, newRecoveryCodes, plainCode, stepOf } from './code.ts';
import { decryptSecret, recoveryHash, recoveryKeyOf } from '../../core/otp-key.ts';
import { findCurrentKey, findRecoveryKeys } from './otp-key.rules.ts';
import { findSecret, replaceRecoveryCodes, takeRecoveryCode, takeStep } from './otp.store.ts';

/** The kind of code that was spent: of the authenticator or a recovery code. */
export type CodeKind = 'code' | 'recovery';

/**
 * Spends an authenticator code or a recovery code, in the transaction of the action that needs it.
 *
 * @returns undefined when the code is wrong or was used before
 */
export async function spendCode(
  app: Pick<App, 'otpKeys'>,
  db: Db,
  operatorId: number,
  typed: string,
  now: number,
): Promise<CodeKind | undefined> {
  const code = plainCode(typed);
  if (!isDigits(code)) {
    const recoveryKeys = await findRecoveryKeys(app.otpKeys.keys(), db);
    const hashes = recoveryKeys.map((key) => recoveryHash(key, operatorId, code));
    return (await takeRecoveryCode(db, operatorId, hashes, now)) ? 'recovery' : undefined;
  }
  const found = await findSecret(db, operatorId);
  return found && (await takeCode(app, db, { operatorId, secret: found.secret, code, now })) ? 'code' : undefined;
}

interface TypedCode {
  operatorId: number;
  /** The encrypted secret. */
  secret: string;
  code: string;
  now: number;
}

/** Spends the code of an authenticator; false when it is wrong, or was used before. */
export async function takeCode(
  { otpKeys }: Pick<App, 'otpKeys'>,
  db: Db,
  { operatorId, secret, code, now }: TypedCode,
): Promise<boolean> {
  const window = (await isOn(db, OTP_EXACT)) ? 0 : 1;
  const step = stepOf(decryptSecret(otpKeys.keys(), operatorId, secret), code, now, window);
  return step !== undefined && takeStep(db, operatorId, step);
}

/** Creates recovery codes and invalidates the previous ones. */
export async function issueRecoveryCodes(
  app: Pick<App, 'otpKeys'>,
  db: Db,
  operatorId: number,
  now: number,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const key = await findCurrentKey(app.otpKeys.keys(), db);
  const recoveryKey = recoveryKeyOf(key);
  const hashes = codes.map((code) => recoveryHash(recoveryKey, operatorId, plainCode(code)));
  await replaceRecoveryCodes(db, operatorId, { hashes, keyId: key.id }, now);
  return codes;
}
