import { CODE } from '@hengtai/contract/wire/envelope';
import type { OidcBegun, OidcLogin, OidcOffer } from '@hengtai/contract/house/oidc/schema';
import { type Refusal, refusals } from '@hengtai/contract/wire/refusals';
import { LOGIN_DONE, LOGIN_TRIES_PER_HOUR } from '@hengtai/contract/house/session/calls';
import { recordAudit } from '../../../actions/audit.store.ts';
import { hashOf, newToken } from '../../../authority/token.ts';
import type { App } from '../../../app/context.ts';
import { type OidcSettings, issuerKey } from '../../../host/oidc-settings.ts';
import { refuse } from '../../../app/refuse.ts';
import type { SessionCall, SessionHandler } from '../../../http/handler.ts';
import { type Db, inTransaction } from '../../../database/connect.ts';
import type { CredentialKind } from '../session/credential.steps.ts';
import { enter } from '../session/enter.steps.ts';
import { beginGuess } from '../session/guess-limit.steps.ts';
import { type Attempt, addressCounterOf, recordRefusedLogin } from '../session/login.steps.ts';
import { type Credentials, isKnownDevice } from '../session/login.store.ts';
import { allowedByGroups } from './groups.rules.ts';
import {
  type AnsweredFlow,
  type Identity,
  addFlow,
  deleteFlow,
  findAnswered,
  findLinkedOperator,
  lockFlow,
  recordAnswer,
  takeFlow,
} from './oidc.store.ts';
import { ProviderError, beginFlow, finishFlow } from './provider.ts';

/** Logins per process that wait for the provider; a slow one must not use up sockets and memory. */
const MAX_WAITING = 64;
let waiting = 0;

export const oidcOffer: SessionHandler<object> = async ({ app }) => {
  const data: OidcOffer = { origin: app.oidc?.origin ?? null };
  return { code: CODE.ok, msg: 'ok', data };
};

function settingsOf({ oidc }: App): OidcSettings {
  if (!oidc) throw refuse(refusals.oidcOff);
  return oidc;
}

/** Begins a login at the provider. Strangers may ask, so requests are limited by address. */
export const oidcBegin: SessionHandler<object> = async (call) => {
  const { app } = call;
  const settings = settingsOf(app);
  const now = app.clock.now();
  const counter = addressCounterOf(call);
  await beginGuess(app.system, [{ ...counter, name: `oidc ${counter.name}` }], now);
  const { url, flow } = await askProvider(call, () => beginFlow(settings, now));
  const token = newToken();
  await addFlow(app.system, hashOf(token), flow, now);
  const data: OidcBegun = { url, flow: token };
  return { code: CODE.ok, msg: 'ok', data };
};

/**
 * Opens a session for the operator that the account at the provider is linked to. A second factor of the operator is asked
 * for as after a password, whatever the provider says about how it verified the person.
 *
 * @throws Refused 401 for an answer that is not accepted or a wrong second factor, 403 without a linked operator or allowed
 *   group, 428 when a second factor is missing, 429 when a limit is reached, 503 when the provider does not answer
 */
export const oidcLogin =
  (kinds: readonly CredentialKind[]): SessionHandler<OidcLogin> =>
  async (call, input) => {
    const { app } = call;
    const settings = settingsOf(app);
    const now = app.clock.now();
    const flowHash = hashOf(input.flow);
    const answered =
      input.response === undefined
        ? await findAnswered(app.system, flowHash, now)
        : await verifyAnswer(call, settings, flowHash, input.response);
    const identity = { issuer: issuerKey(settings), subject: answered?.subject ?? '' };
    const found = answered && (await findLinkedOperator(app.system, identity));
    if (!found || found.id !== answered.operatorId) throw refuse(refusals.oidcFlow);
    const device = call.device ?? newToken();
    const known = call.device !== undefined && (await isKnownDevice(app.system, found.account, hashOf(call.device)));
    const attempt: Attempt = { call, device, known, now };
    // Wrong passwords of strangers must not lock this login, so second factors have a counter of their own.
    const counters = [{ name: `oidc operator ${found.id}`, max: LOGIN_TRIES_PER_HOUR }];
    const guess = await beginGuess(app.system, counters, now);
    const outcome = await enter(
      kinds,
      attempt,
      input,
      found,
      firstFactorOf({ settings, flowHash, identity, answered, now }),
    );
    if (!('refusal' in outcome) || outcome.refusal.code === CODE.fresh) await guess.remove();
    if ('refusal' in outcome) {
      await recordRefusedLogin(attempt, found, outcome.refusal, guess.isLast);
      throw refuse(outcome.refusal, undefined, outcome.offer);
    }
    return { code: CODE.ok, msg: LOGIN_DONE, ...outcome };
  };

interface Verified {
  settings: OidcSettings;
  flowHash: string;
  identity: Identity;
  answered: AnsweredFlow;
  now: number;
}

const firstFactorOf = ({ settings, flowHash, identity, answered, now }: Verified) => ({
  confirm: async (db: Db) => {
    // The link may have been removed, and a concurrent request may have opened the session.
    const linked = await findLinkedOperator(db, identity);
    if (linked?.id !== answered.operatorId || !(await lockFlow(db, flowHash))) return { refusal: refusals.oidcFlow };
    const endsAt = now + settings.sessionMinutes * 60_000;
    return { byOidc: true, allowedAbilities: answered.allowedAbilities, endsAt };
  },
  spend: (db: Db) => deleteFlow(db, flowHash),
  audited: {
    first: 'oidc',
    subject: identity.subject,
    ...(answered.allowedAbilities && { allowed: answered.allowedAbilities }),
  },
});

/** Takes the answer of a login, verifies it with the provider, and records the operator that it names. */
async function verifyAnswer(
  call: SessionCall,
  settings: OidcSettings,
  flowHash: string,
  response: string,
): Promise<AnsweredFlow> {
  const { app } = call;
  const flow = await takeFlow(app.system, flowHash, app.clock.now());
  if (!flow) throw refuse(refusals.oidcFlow);
  const { subject, groups } = await askProvider(call, () => finishFlow(settings, response, flow, app.clock.now()));
  const identity = { issuer: issuerKey(settings), subject };
  const found = await findLinkedOperator(app.system, identity);
  if (!found) throw await refuseIdentity(call, identity, refusals.oidcUnlinked);
  const allowedAbilities = allowedByGroups(settings, groups);
  if (allowedAbilities === undefined) throw await refuseIdentity(call, identity, refusals.oidcNoGroup, found);
  const answered: AnsweredFlow = { operatorId: found.id, subject, allowedAbilities };
  await recordAnswer(app.system, flowHash, answered, app.clock.now());
  return answered;
}

/** Runs a request to the provider outside of any transaction. Its failure is logged, and no session is opened. */
async function askProvider<T>({ app, origin }: SessionCall, request: () => Promise<T>): Promise<T> {
  if (waiting >= MAX_WAITING) throw refuse(refusals.loginCrowd);
  waiting += 1;
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    app.log.warn({ err: error.cause, ip: origin.ip, id: origin.requestId }, 'login by the identity provider refused');
    throw refuse(error.refusal);
  } finally {
    waiting -= 1;
  }
}

/** Audits an account that the provider vouches for but that may not log in. The row names it, so that it can be linked. */
async function refuseIdentity({ app, origin }: SessionCall, identity: Identity, refusal: Refusal, found?: Credentials) {
  const now = app.clock.now();
  const caller = { ...origin, sessionId: null, now, clockOffset: app.clock.offset(), operator: found ?? null };
  await inTransaction(app.system, (db) =>
    recordAudit(db, caller, {
      action: 'session.login',
      targetType: 'agent',
      targetId: found?.id,
      agentId: found?.id,
      result: refusal.code,
      after: { first: 'oidc', ...identity },
    }),
  );
  return refuse(refusal);
}
