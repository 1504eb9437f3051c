import { CODE } from '@hengtai/contract/envelope';
import { FRESH_MINUTES } from '@hengtai/contract/otp';
import { refusals } from '@hengtai/contract/refusals';
import { recordAudit } from '../../actions/audit.store.ts';
import { refuseFactor } from '../../actions/fresh.ts';
import { takeProof } from '../../actions/passkey-proof.store.ts';
import type { App, Caller } from '../../core/context.ts';
import { refuse, refuseMissing } from '../../core/refuse.ts';
import { type Db, inTransaction } from '../../postgres/connect.ts';
import { raiseAlarm } from '../alarm/alarm.store.ts';
import { type CodeKind, spendCode } from '../otp/otp.rules.ts';
import type { LockedOperator } from '../session/login.store.ts';
import type { VerifiedAssertion } from './passkey.rules.ts';
import { findPasskey, findPasskeySettings, recordUse } from './passkey.store.ts';

/** What an operator proves its identity with besides the password. */
export type SecondFactor = { code: string } | { passkey: VerifiedAssertion };

/** The factor that was spent, as the audit log names it. */
export type SpentFactor = { by: CodeKind } | { by: 'passkey'; passkey: string };

/** The operator that gives the factor; its row is locked. */
export interface FactorOwner extends Pick<
  Caller,
  'sessionId' | 'ip' | 'userAgent' | 'requestId' | 'now' | 'clockOffset'
> {
  operator: { id: number; account: string };
  locked: LockedOperator;
}

export const hasUsablePasskey = (
  { relyingParty }: Pick<App, 'relyingParty'>,
  { passkeyRps }: LockedOperator,
): boolean => relyingParty !== undefined && passkeyRps.includes(relyingParty.id);

/**
 * Spends a second factor of an operator, in the transaction of what it is needed for. Every place that accepts one calls this.
 *
 * @returns undefined when a code is wrong or was used before, or when the counter of a passkey did not go up
 * @throws Refused 428 for a code where only a passkey is accepted
 */
export async function spendSecondFactor(
  app: App,
  db: Db,
  owner: FactorOwner,
  factor: SecondFactor,
): Promise<SpentFactor | undefined> {
  const { operator, locked, ip, now } = owner;
  if ('code' in factor) {
    if (locked.otpSince === null) return undefined;
    if (hasUsablePasskey(app, locked) && (await findPasskeySettings(db)).only) throw refuse(refusals.passkeyDue);
    const by = await spendCode(app, db, operator.id, factor.code, now);
    return by && { by };
  }
  const { passkey, counter } = factor.passkey;
  const isUsed = await recordUse(db, { id: passkey.id, operatorId: operator.id, counter, ip, now });
  if (isUsed) return { by: 'passkey', passkey: passkey.name };
  const isRemoved = (await findPasskey(db, passkey.credentialId)) === undefined;
  if (!isRemoved) await reportClone(app, owner, factor.passkey);
  return undefined;
}

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

const isWithinWindow = ({ codes, now }: Caller): boolean =>
  codes.freshAt !== null && now - codes.freshAt < FRESH_MINUTES * 60_000;

/**
 * Uses up the confirmation of the caller's own call by one of its passkeys.
 *
 * @throws Refused 428 without one, 422 when the operator can only give a code
 */
export async function requireConfirmation(caller: Caller, db: Db): Promise<void> {
  if (!caller.codes.passkey) throw refuseMissing('code');
  if (!(await isConfirmed(caller, db))) throw refuseFactor({ passkey: true, code: false });
}

/**
 * Requires a code within the last minutes, or the confirmation of the caller's own call by one of its passkeys, if the
 * operator has a second factor.
 *
 * @throws Refused 428 without one
 */
export async function requireFreshFactor(caller: Caller, db: Db): Promise<void> {
  if (!caller.codes.on || isWithinWindow(caller) || (await isConfirmed(caller, db))) return;
  throw refuseFactor(caller.codes);
}

async function isConfirmed({ sessionId, digest, codes, now }: Caller, db: Db): Promise<boolean> {
  return codes.passkey && sessionId !== null && digest !== undefined && takeProof(db, sessionId, digest, now);
}
