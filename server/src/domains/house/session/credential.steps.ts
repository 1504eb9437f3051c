import type { FactorOffer } from '@hengtai/contract/house/passkey/schema';
import type { Refusal } from '@hengtai/contract/wire/refusals';
import type { LoginInput } from '@hengtai/contract/house/session/schema';
import { notifyCredential } from '../../../actions/credential-notification.store.ts';
import type { SessionLimits } from '../../../authority/session.store.ts';
import type { App, Caller } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import type { Attempt } from './login.steps.ts';
import type { LockedOperator } from './login.store.ts';

/** The operator that gives a second factor; its row is locked. */
export interface FactorOwner extends Pick<
  Caller,
  'sessionId' | 'ip' | 'userAgent' | 'requestId' | 'now' | 'clockOffset'
> {
  operator: { id: number; account: string };
  locked: LockedOperator;
}

/** The factor that was spent, as the audit log names it. */
export type SpentFactor = { by: 'code' | 'recovery' } | { by: 'passkey'; passkey: string };

/** A second factor that a login gives. */
export interface GivenFactor {
  kind: 'code' | 'passkey';
  /** Spends it in the transaction that opens the session; undefined if it is wrong or was used before. */
  spend: (db: Db, owner: FactorOwner) => Promise<SpentFactor | undefined>;
}

export type GivenFactors = Pick<LoginInput, 'otp' | 'passkey'>;

/** Why a login is refused until another factor is given, with what the operator may give. */
export interface MissingFactor {
  refusal: Refusal;
  offer: FactorOffer;
}

/** A kind of credential besides the password, as its module describes it. */
export interface CredentialKind {
  /** Limits logins by password or passkey alone, or refuses them. */
  limit?: (
    app: Pick<App, 'oidc'>,
    db: Db,
    operatorId: number,
    now: number,
  ) => Promise<SessionLimits | { refusal: Refusal }>;
  /** Verifies what a login gives, before the transaction that spends it; undefined if it gives no factor of this kind. */
  verify?: (attempt: Attempt, given: GivenFactors, operatorId: number) => Promise<GivenFactor | 'wrong' | undefined>;
  /** What the login of a locked operator lacks; undefined if `factor` is enough. */
  findMissing?: (
    attempt: Attempt,
    db: Db,
    operator: LockedOperator & { id: number },
    factor: GivenFactor | undefined,
  ) => Promise<MissingFactor | undefined>;
  /** Removes all factors of an operator. Returns what the audit row says of them; undefined if there were none. */
  reset?: (db: Db, operatorId: number, now: number) => Promise<object | undefined>;
}

/** How a login by password or passkey alone is limited. */
export async function limitLogin(
  kinds: readonly CredentialKind[],
  ...login: Parameters<NonNullable<CredentialKind['limit']>>
): Promise<SessionLimits | { refusal: Refusal }> {
  let limits: SessionLimits = {};
  for (const { limit } of kinds) {
    const found = (await limit?.(...login)) ?? {};
    if ('refusal' in found) return found;
    limits = { ...limits, ...found };
  }
  return limits;
}

/** Asks the kinds in their order until one answers. */
async function firstAnswer<T>(
  kinds: readonly CredentialKind[],
  ask: (kind: CredentialKind) => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  for (const kind of kinds) {
    const answer = await ask(kind);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Verifies the factor that a login gives. If it gives several, the first kind counts. */
export const verifyFactor = (
  kinds: readonly CredentialKind[],
  ...login: Parameters<NonNullable<CredentialKind['verify']>>
): Promise<GivenFactor | 'wrong' | undefined> => firstAnswer(kinds, ({ verify }) => verify?.(...login));

export const findMissingFactor = (
  kinds: readonly CredentialKind[],
  ...login: Parameters<NonNullable<CredentialKind['findMissing']>>
): Promise<MissingFactor | undefined> => firstAnswer(kinds, ({ findMissing }) => findMissing?.(...login));

/**
 * Removes every second factor of an operator who lost it, and notifies the operator.
 *
 * @returns what the audit row says of them; undefined if the operator had no second factor
 */
export async function resetFactors(
  kinds: readonly CredentialKind[],
  db: Db,
  operatorId: number,
  now: number,
): Promise<object | undefined> {
  const removed: object[] = [];
  for (const { reset } of kinds) {
    const found = await reset?.(db, operatorId, now);
    if (found) removed.push(found);
  }
  if (removed.length === 0) return undefined;
  await notifyCredential({ db, now }, operatorId, 'factor');
  return Object.assign({}, ...removed) as object;
}
