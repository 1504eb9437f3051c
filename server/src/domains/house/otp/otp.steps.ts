import { OTP_EXACT } from '@hengtai/contract/house/otp/calls';
import { PASSKEY_ONLY } from '@hengtai/contract/house/passkey/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { App } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';
import type { Db } from '../../../database/connect.ts';
import type { CredentialKind, FactorOwner, SpentFactor } from '../session/credential.steps.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { isDigits, newRecoveryCodes, plainCode, stepOf } from './code.ts';
import { decryptSecret, recoveryHash, recoveryKeyOf } from '../../../host/secret-key.ts';
import { findCurrentKey, findRecoveryKeys } from './secret-key.steps.ts';
import { findSecret, replaceRecoveryCodes, resetOtp, takeRecoveryCode, takeStep } from './otp.store.ts';

/**
 * Spends an authenticator code or a recovery code of an operator, in the transaction of what it is needed for. Every place
 * that accepts one calls this.
 *
 * @returns undefined when the code is wrong or was used before
 * @throws Refused 428 where only a passkey is accepted
 */
export async function spendCode(
  app: Pick<App, 'secretKeys' | 'relyingParty'>,
  db: Db,
  { operator, locked, now }: FactorOwner,
  typed: string,
): Promise<SpentFactor | undefined> {
  if (locked.otpSince === null) return undefined;
  const hasUsablePasskey = app.relyingParty !== undefined && locked.passkeyRps.includes(app.relyingParty.id);
  if (hasUsablePasskey && (await isSettingOn(db, PASSKEY_ONLY))) throw refuse(refusals.passkeyDue);
  const code = plainCode(typed);
  if (!isDigits(code)) {
    const recoveryKeys = await findRecoveryKeys(app.secretKeys.keys(), db);
    const hashes = recoveryKeys.map((key) => recoveryHash(key, operator.id, code));
    return (await takeRecoveryCode(db, operator.id, hashes, now)) ? { by: 'recovery' } : undefined;
  }
  const secret = await findSecret(db, operator.id);
  const isRight = secret !== undefined && (await takeCode(app, db, { operatorId: operator.id, secret, code, now }));
  return isRight ? { by: 'code' } : undefined;
}

/** One-time codes as the second factor of a login. */
export const otpCredential: CredentialKind = {
  verify: async ({ call }, { otp }) =>
    otp === undefined ? undefined : { kind: 'code', spend: (db, owner) => spendCode(call.app, db, owner, otp) },
  reset: async (db, operatorId, now) => ((await resetOtp(db, operatorId, now)) ? {} : undefined),
};

interface TypedCode {
  operatorId: number;
  /** The encrypted secret. */
  secret: string;
  code: string;
  now: number;
}

/** Spends the code of an authenticator; false when it is wrong, or was used before. */
export async function takeCode(
  { secretKeys }: Pick<App, 'secretKeys'>,
  db: Db,
  { operatorId, secret, code, now }: TypedCode,
): Promise<boolean> {
  const window = (await isSettingOn(db, OTP_EXACT)) ? 0 : 1;
  const step = stepOf(decryptSecret(secretKeys.keys(), operatorId, secret, 'otp'), code, now, window);
  return step !== undefined && takeStep(db, operatorId, step);
}

/** Creates recovery codes and invalidates the previous ones. */
export async function issueRecoveryCodes(
  app: Pick<App, 'secretKeys'>,
  db: Db,
  operatorId: number,
  now: number,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const key = await findCurrentKey(app.secretKeys.keys(), db);
  const recoveryKey = recoveryKeyOf(key);
  const hashes = codes.map((code) => recoveryHash(recoveryKey, operatorId, plainCode(code)));
  await replaceRecoveryCodes(db, operatorId, { hashes, keyId: key.id }, now);
  return codes;
}
