import {
  type SecretKey,
  type SecretKeys,
  decryptSecret,
  findSecretKey,
  listSecretKeys,
  recoveryKeyOf,
  unwrapRecoveryKey,
} from '../../../host/secret-key.ts';
import { ConfigurationError } from '../../../host/configuration-error.ts';
import type { Db } from '../../../database/connect.ts';
import { fetchNewestSecrets, fetchWrappedRecoveryKeys, findCurrentKeyId } from './secret-key.store.ts';

/**
 * The key that new secrets are encrypted with. During a rotation it stays the old one until `hengtai keys rotate otp`, so that
 * a server that does not hold the new key yet can read them.
 *
 * @throws Error if this process does not hold it
 */
export async function findCurrentKey(keys: SecretKeys, db: Db): Promise<SecretKey> {
  const id = await findCurrentKeyId(db);
  const key = id === null ? (keys.previous ?? keys.newest) : findSecretKey(keys, id);
  if (!key) throw missingKey(id);
  return key;
}

/** The recovery parts of all keys that codes may be hashed with: those held, and those kept encrypted by rotations. */
export async function findRecoveryKeys(keys: SecretKeys, db: Db): Promise<Buffer[]> {
  const held = listSecretKeys(keys);
  const wrapped = (await fetchWrappedRecoveryKeys(db)).flatMap(({ keyId, wrappedBy, secret }) => {
    const by = findSecretKey(keys, wrappedBy);
    return (by && unwrapRecoveryKey(by, keyId, secret)) ?? [];
  });
  return [...held.map(recoveryKeyOf), ...wrapped];
}

/**
 * Checks that the keys decrypt what is stored.
 *
 * @throws ConfigurationError that names the missing key
 */
export async function checkSecretKeys(keys: SecretKeys | undefined, db: Db): Promise<void> {
  const isHeld = (id: string): boolean => keys !== undefined && findSecretKey(keys, id) !== undefined;
  const current = await findCurrentKeyId(db);
  if (current !== null && !isHeld(current)) throw missingKey(current);
  for (const { wrappedBy } of await fetchWrappedRecoveryKeys(db)) if (!isHeld(wrappedBy)) throw missingKey(wrappedBy);
  for (const { operatorId, secret, keyId } of await fetchNewestSecrets(db)) {
    try {
      if (!keys) throw missingKey(keyId);
      decryptSecret(keys, operatorId, secret, 'otp');
    } catch {
      throw missingKey(keyId);
    }
  }
}

const missingKey = (id: string | null): ConfigurationError =>
  new ConfigurationError(
    `Secrets of one-time codes are encrypted with ${id === null ? 'a key' : `the key ${id}`} that is missing here: ` +
      'restore otp-key.json, or set OTP_KEY or OTP_KEY_PREVIOUS to it. 缺少一次性验证码的密钥。',
  );
