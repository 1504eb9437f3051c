import type { App } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { isDigits, newRecoveryCodes, plainCode, stepOf } from './code.ts';
import { recoveryHash, unseal } from './key.ts';
import { findSecret, replaceRecovery, takeRecovery, takeStep } from './otp.store.ts';

/** How an operator has shown that a code was at hand. */
export type Spent = 'code' | 'recovery';

/** Uses up a code of the authenticator or a recovery code, in the transaction of what it is given for; undefined: wrong. */
export async function spendCode(
  app: Pick<App, 'otpKey'>,
  db: Db,
  operatorId: number,
  typed: string,
  now: number,
): Promise<Spent | undefined> {
  const code = plainCode(typed);
  if (!isDigits(code)) {
    const hash = await recoveryHash(app.otpKey, operatorId, code);
    return (await takeRecovery(db, operatorId, hash, now)) ? 'recovery' : undefined;
  }
  const found = await findSecret(db, operatorId);
  const step = found && stepOf(await unseal(app.otpKey, operatorId, found.secret), code, now);
  return step !== undefined && (await takeStep(db, operatorId, step)) ? 'code' : undefined;
}

/** Gives out recovery codes; those of before are worth nothing from then on. */
export async function giveRecovery(
  app: Pick<App, 'otpKey'>,
  db: Db,
  operatorId: number,
  now: number,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map((code) => recoveryHash(app.otpKey, operatorId, plainCode(code))));
  await replaceRecovery(db, operatorId, hashes, now);
  return codes;
}
