import type { App } from '../../../app/context.ts';
import { decryptSecret, encryptSecret } from '../../../host/secret-key.ts';
import type { Db } from '../../../database/connect.ts';
import { findCurrentKey } from '../../house/otp/secret-key.steps.ts';
import type { EncryptedTarget } from './channel.store.ts';

/** Where the messages of a channel go. The key signs them: a webhook has one, a Feishu bot may have one. */
export interface Target {
  address: string;
  key?: string | undefined;
}

/** Encrypts a target with the key in use, in the transaction that stores it. */
export async function encryptTarget(app: App, db: Db, operatorId: number, target: Target): Promise<EncryptedTarget> {
  const key = await findCurrentKey(app.secretKeys.keys(), db);
  return { secret: encryptSecret(key, operatorId, JSON.stringify(target), 'channel'), keyId: key.id };
}

/** @throws Error when no key fits */
export const decryptTarget = (app: App, operatorId: number, encrypted: string): Target =>
  JSON.parse(decryptSecret(app.secretKeys.keys(), operatorId, encrypted, 'channel')) as Target;
