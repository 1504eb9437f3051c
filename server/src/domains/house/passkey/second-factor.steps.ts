import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App } from '../../../app/context.ts';
import { type Db, inTransaction } from '../../../database/connect.ts';
import { raiseAlarm } from '../alarm/alarm.store.ts';
import type { CredentialKind, FactorOwner, SpentFactor } from '../session/credential.steps.ts';
import { type VerifiedAssertion, offerFactors, verifyAssertion } from './passkey.steps.ts';
import { deletePasskeys, findPasskey, findPasskeySettings, recordUse } from './passkey.store.ts';

/**
 * Spends the assertion of a passkey, in the transaction of what it is needed for. Every place that accepts one calls this.
 *
 * @returns undefined when the counter of the passkey did not go up
 */
export async function spendPasskey(
  app: App,
  db: Db,
  owner: FactorOwner,
  assertion: VerifiedAssertion,
): Promise<SpentFactor | undefined> {
  const { operator, ip, now } = owner;
  const { passkey, counter } = assertion;
  const isUsed = await recordUse(db, { id: passkey.id, operatorId: operator.id, counter, ip, now });
  if (isUsed) return { by: 'passkey', passkey: passkey.name };
  const isRemoved = (await findPasskey(db, passkey.credentialId)) === undefined;
  if (!isRemoved) await reportClone(app, owner, assertion);
  return undefined;
}

/** Passkeys as the second factor of a login. */
export const passkeyCredential: CredentialKind = {
  // The challenge is used up even if its answer is wrong.
  verify: async ({ call: { app }, now }, { passkey: assertion }, operatorId) => {
    if (assertion === undefined) return undefined;
    const verified = await verifyAssertion(app, { purpose: 'login', operatorId, sessionId: null }, assertion, now);
    return verified ? { kind: 'passkey', spend: (db, owner) => spendPasskey(app, db, owner, verified) } : 'wrong';
  },
  findMissing: async ({ call: { app }, now }, db, { id, otpSince, passkeyRps }, factor) => {
    if (passkeyRps.length === 0 || factor?.kind === 'passkey') return undefined;
    const { only } = await findPasskeySettings(db);
    const offer = await offerFactors(app, { id, hasCodes: otpSince !== null }, only, now);
    if (factor && offer.code) return undefined;
    const isElsewhere = !offer.code && offer.passkey === null;
    return {
      refusal: isElsewhere ? refusals.passkeyElsewhere : offer.code ? refusals.freshFactor : refusals.passkeyDue,
      offer,
    };
  },
  reset: async (db, operatorId, now) => {
    const passkeys = await deletePasskeys(db, operatorId, now);
    return passkeys.length === 0 ? undefined : { passkeys };
  },
};

/** Raises an alarm in a transaction of its own, because that of the refused action is undone. */
async function reportClone(app: App, owner: FactorOwner, { passkey, counter }: VerifiedAssertion): Promise<void> {
  const { id } = owner.operator;
  const detail = { passkey: passkey.name, storedCount: passkey.counter, receivedCount: counter };
  await inTransaction(app.system, async (db) => {
    const target = { targetType: 'agent', targetId: id, agentId: id };
    await recordAudit(db, owner, { action: 'passkey.cloned', result: CODE.wrongCredentials, ...target, after: detail });
    await raiseAlarm(db, { kind: 'passkey.cloned', refType: 'agent', refId: id, agentId: id, detail, now: owner.now });
  });
}
