import { refusals } from '@hengtai/contract/refusals';
import { IDLE_HEADER, TOKEN_RENEW_MINUTES } from '@hengtai/contract/session';
import type { FastifyRequest } from 'fastify';
import type { App, Caller } from '../context.ts';
import { scopeOf } from '../db/tree.ts';
import { refuse } from '../refuse.ts';
import { addToken, findSession, touchSession } from '../session/session.store.ts';
import { hashOf, nextToken } from '../session/token.ts';

export interface Authenticated {
  caller: Caller;
  /** Sent in the envelope when the token is due to be replaced. */
  renewed: string | undefined;
  expiresAt: number;
}

/** Finds who asks by the header `token`; refuses with 400, which means exactly that there is no such session. */
export async function authenticate(app: App, tokenKey: string, request: FastifyRequest): Promise<Authenticated> {
  const token = request.headers['token'];
  if (typeof token !== 'string' || !/^[\w-]{43}$/.test(token)) throw refuse(refusals.sessionInvalid);
  const now = app.clock.now();
  const hash = hashOf(token);
  const live = await findSession(app.system, hash, now, app.replica !== undefined);
  if (!live) throw refuse(refusals.sessionInvalid);
  const expiresAt = await touchSession(app.system, live, hash, now, request.headers[IDLE_HEADER] === '1');
  let renewed: string | undefined;
  if (now - live.issuedAt > TOKEN_RENEW_MINUTES * 60_000) {
    renewed = nextToken(tokenKey, token);
    await addToken(app.system, live.sessionId, hashOf(renewed), hash, now);
  }
  const scope = await scopeOf(app.system, live.operatorId, live);
  const { operatorId: id, account, top, abilities, otpSince, freshAt } = live;
  const on = otpSince !== null;
  const caller = {
    operator: { id, account, top, abilities },
    scope,
    sessionId: live.sessionId,
    codes: { on, due: !on && live.otpRequired, demanded: live.otpFresh, freshAt },
    ...originOf(request),
    now,
    position: live.position,
  };
  return { caller, renewed, expiresAt };
}

/** Where a request came from, as sessions and audit rows keep it. */
export function originOf(request: FastifyRequest): Pick<Caller, 'requestId' | 'ip' | 'userAgent'> {
  const agent = request.headers['user-agent'];
  return { requestId: request.id, ip: request.ip, userAgent: typeof agent === 'string' ? agent.slice(0, 256) : '' };
}
