import type { LoginInput } from '@hengtai/contract/session.schema';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import type { SessionLimits } from '../../actions/session.store.ts';
import { type Db, inTransaction, withRetries } from '../../postgres/connect.ts';
import { offerFactors, verifyAssertion } from '../passkey/passkey.rules.ts';
import { findPasskeySettings } from '../passkey/passkey.store.ts';
import { type SecondFactor, spendSecondFactor } from '../passkey/second-factor.rules.ts';
import { type Attempt, type LoginOutcome, openLogin } from './login.rules.ts';
import { type Credentials, type LockedOperator, lockOperator } from './login.store.ts';

/** A first factor that was verified: the password, or the answer of the identity provider. */
export interface FirstFactor {
  /** The password hash that was verified, which must not have changed since. */
  passwordHash?: string;
  /**
   * Checks again, in the transaction and with the operator locked, what may have changed since, and says how the session is
   * limited.
   */
  confirm: (db: Db) => Promise<SessionLimits | { refusal: Refusal }>;
  /** Uses the factor up, in the transaction that opens the session. */
  spend?: (db: Db) => Promise<void>;
  /** What the audit row records about it. */
  audited?: object;
}

type Given = Pick<LoginInput, 'otp' | 'passkey'>;

/**
 * Opens the session after the first factor was verified. State and factors of the operator are checked again under a lock,
 * because they may have changed since.
 */
export async function enter(
  attempt: Attempt,
  given: Given,
  found: Credentials,
  first: FirstFactor,
): Promise<LoginOutcome> {
  const { call, now } = attempt;
  const { app } = call;
  const factor = await readFactor(attempt, given, found);
  if (factor === 'wrong') return { refusal: refusals.wrongCredentials };
  return withRetries(() =>
    inTransaction(app.system, async (db) => {
      const operator = await lockOperator(db, found.id, first.passwordHash);
      if (!operator) return { refusal: refusals.wrongCredentials };
      const limits = await first.confirm(db);
      if ('refusal' in limits) return limits;
      const open = async (isFresh: boolean, second?: object): Promise<LoginOutcome> => {
        await first.spend?.(db);
        return openLogin(db, attempt, found, { isFresh, limits, factor: { ...first.audited, ...second } });
      };
      if (operator.otpSince === null && operator.passkeyRps.length === 0) return open(false);
      const missing = await findMissing(attempt, db, { id: found.id, ...operator }, factor);
      if (missing) return missing;
      const owner = { ...call.origin, sessionId: null, now, clockOffset: app.clock.offset(), operator: found };
      const spent = factor && (await spendSecondFactor(app, db, { ...owner, locked: operator }, factor));
      if (!spent) return { refusal: refusals.wrongCredentials };
      return open(spent.by === 'code', spent);
    }),
  );
}

/** The second factor of a login. The challenge of a passkey is used up even if its answer is wrong. */
async function readFactor(
  { call, now }: Attempt,
  { otp, passkey: assertion }: Given,
  found: Credentials,
): Promise<SecondFactor | undefined | 'wrong'> {
  if (assertion === undefined) return otp === undefined ? undefined : { code: otp };
  const expected = { purpose: 'login', operatorId: found.id, sessionId: null } as const;
  const passkey = await verifyAssertion(call.app, expected, assertion, now);
  return passkey ? { passkey } : 'wrong';
}

/** The refusal of a login whose second factor is missing, or of a kind that is not accepted; undefined if it is accepted. */
async function findMissing(
  { call, now }: Attempt,
  db: Db,
  { id, otpSince, passkeyRps }: LockedOperator & { id: number },
  factor: SecondFactor | undefined,
): Promise<Extract<LoginOutcome, { refusal: unknown }> | undefined> {
  if (factor && 'passkey' in factor) return undefined;
  if (passkeyRps.length === 0) return factor ? undefined : { refusal: refusals.freshCode };
  const { only } = await findPasskeySettings(db);
  const offer = await offerFactors(call.app, { id, hasCodes: otpSince !== null }, only, now);
  if (factor && offer.code) return undefined;
  const isElsewhere = !offer.code && offer.passkey === null;
  return {
    refusal: isElsewhere ? refusals.passkeyElsewhere : offer.code ? refusals.freshFactor : refusals.passkeyDue,
    offer,
  };
}
