import { ABILITIES, ABILITY } from '@hengtai/contract/authority/ability';
import { CODE } from '@hengtai/contract/wire/envelope';
import type { FactorOffer } from '@hengtai/contract/house/passkey/schema';
import type { Refusal } from '@hengtai/contract/wire/refusals';
import { ADDRESS_TRIES_PER_HOUR, LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/house/session/calls';
import type { LoginData } from '@hengtai/contract/house/session/schema';
import { recordAudit } from '../../../actions/audit.store.ts';
import { type SessionLimits, addToken, endSurplusSessions, openSession } from '../../../authority/session.store.ts';
import { hashOf, newToken } from '../../../authority/token.ts';
import { can } from '../../../app/context.ts';
import type { SessionCall } from '../../../http/handler.ts';
import { type Db, inTransaction } from '../../../database/connect.ts';
import { type GuessCounter, networkOf } from './guess-limit.steps.ts';
import { type Credentials, recordLogin } from './login.store.ts';

/** One login attempt and the device it comes from. */
export interface Attempt {
  call: SessionCall;
  device: string;
  known: boolean;
  now: number;
}

export type LoginOutcome = { data: LoginData; token: string } | { refusal: Refusal; offer?: FactorOffer };

/** A device is known for one account only; for other accounts it counts as unknown. */
export function countersOf({ call, device, known }: Attempt, name: string): GuessCounter[] {
  const account = hashOf(name.toLowerCase());
  const max = LOGIN_TRIES_PER_HOUR;
  if (known) return [{ name: `device ${hashOf(`${hashOf(device)} ${account}`)}`, max }];
  return [{ name: `account ${account}`, max }, addressCounterOf(call)];
}

export const addressCounterOf = ({ origin }: SessionCall): GuessCounter => ({
  name: `address ${networkOf(origin.ip)}`,
  max: ADDRESS_TRIES_PER_HOUR,
});

export interface OpenedWith {
  /** A code of the authenticator counts as a fresh code. A passkey confirms the login only, a recovery code as well. */
  isFresh: boolean;
  /** Recorded in the audit row: the second factor, or the only one. */
  factor?: object | undefined;
  limits?: SessionLimits | undefined;
}

/** Opens the session of an operator whose row is locked and whose factors were verified. */
export async function openLogin(
  db: Db,
  { call, device, known, now }: Attempt,
  found: Credentials,
  { isFresh, factor, limits }: OpenedWith,
): Promise<{ data: LoginData; token: string }> {
  const { app, origin } = call;
  const { ip, userAgent } = origin;
  const token = newToken();
  const deviceHash = hashOf(device);
  await endSurplusSessions(db, found.id, now);
  const session = { operatorId: found.id, deviceHash, known, fresh: isFresh, limits, ip, userAgent, now };
  const opened = await openSession(db, session);
  await addToken(db, opened.id, hashOf(token), null, now);
  await recordLogin(db, found.id, deviceHash, ip, now);
  await recordAudit(
    db,
    { ...origin, sessionId: opened.id, now, clockOffset: app.clock.offset(), operator: found },
    { ...loginTarget(found), result: CODE.ok, after: { known: known ? 1 : 0, ...factor } },
  );
  return { data: loginData(limitAbilities(found, limits?.allowedAbilities), opened.expiresAt, device), token };
}

/** What is left of an operator's rank and abilities; `authorityColumns` computes the same for the session's calls. */
function limitAbilities(operator: Credentials, allowed: readonly number[] | null | undefined): Credentials {
  if (!allowed) return operator;
  const abilities = operator.top ? [...allowed] : operator.abilities.filter((ability) => allowed.includes(ability));
  return { ...operator, top: false, abilities };
}

const loginData = (operator: Credentials, expire: number, device: string): LoginData => ({
  admin: operator.account,
  planSet: can(operator, ABILITY.platform),
  abilities: abilitiesOf(operator),
  expire,
  device,
});

export const abilitiesOf = (operator: { top: boolean; abilities: readonly number[] }): number[] =>
  operator.top ? [...ABILITIES] : [ABILITY.enabled, ...operator.abilities];

const loginTarget = (operator: Pick<Credentials, 'id'> | undefined) => ({
  action: 'session.login',
  targetType: 'agent',
  targetId: operator?.id,
  agentId: operator?.id,
});

/**
 * Audits a refused login. The guess limits bound the number of rows. The guess that reaches a limit also writes a 429 row,
 * so that the lock is visible although later attempts write nothing.
 */
export async function recordRefusedLogin(
  { call, now }: Pick<Attempt, 'call' | 'now'>,
  found: Credentials | undefined,
  { code }: Refusal,
  isLastGuess: boolean,
): Promise<void> {
  await inTransaction(call.app.system, async (db) => {
    const clockOffset = call.app.clock.offset();
    const who = { ...call.origin, sessionId: null, now, clockOffset, operator: found ?? null };
    await recordAudit(db, who, { ...loginTarget(found), result: code });
    if (isLastGuess && code !== CODE.fresh) await recordAudit(db, who, { ...loginTarget(found), result: CODE.tooMany });
  });
}
