import { notifyCredential } from '../../actions/credential-notification.store.ts';
import type { Db } from '../../postgres/connect.ts';
import { resetOtp } from '../otp/otp.store.ts';
import { deletePasskeys } from './passkey.store.ts';

/**
 * Removes every second factor of an operator who lost it, and notifies the operator.
 *
 * @returns the names of the removed passkeys; undefined if the operator had no second factor
 */
export async function resetFactors(
  db: Db,
  operatorId: number,
  now: number,
): Promise<{ passkeys: string[] } | undefined> {
  const hadCodes = await resetOtp(db, operatorId, now);
  const passkeys = await deletePasskeys(db, operatorId, now);
  if (!hadCodes && passkeys.length === 0) return undefined;
  await notifyCredential({ db, now }, operatorId, 'factor');
  return { passkeys };
}
