import { type Refusal, refusals } from '@hengtai/contract/wire/refusals';
import type { SessionLimits } from '../../../authority/session.store.ts';
import { type Db, inTransaction, withRetries } from '../../../database/connect.ts';
import { type CredentialKind, type GivenFactors, findMissingFactor, verifyFactor } from './credential.steps.ts';
import { type Attempt, type LoginOutcome, openLogin } from './login.steps.ts';
import { type Credentials, lockOperator } from './login.store.ts';

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

/**
 * Opens the session after the first factor was verified. State and factors of the operator are checked again under a lock,
 * because they may have changed since.
 */
export async function enter(
  kinds: readonly CredentialKind[],
  attempt: Attempt,
  given: GivenFactors,
  found: Credentials,
  first: FirstFactor,
): Promise<LoginOutcome> {
  const { call, now } = attempt;
  const { app } = call;
  const factor = await verifyFactor(kinds, attempt, given, found.id);
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
      const missing = await findMissingFactor(kinds, attempt, db, { id: found.id, ...operator }, factor);
      if (missing) return missing;
      if (!factor) return { refusal: refusals.freshCode };
      const owner = { ...call.origin, sessionId: null, now, clockOffset: app.clock.offset(), operator: found };
      const spent = await factor.spend(db, { ...owner, locked: operator });
      if (!spent) return { refusal: refusals.wrongCredentials };
      return open(spent.by === 'code', spent);
    }),
  );
}
