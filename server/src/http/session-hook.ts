import { refusals } from '@hengtai/contract/wire/refusals';
import { IDLE_HEADER, TOKEN_RENEW_MINUTES } from '@hengtai/contract/house/session/calls';
import type { FastifyRequest } from 'fastify';
import type { App, Caller } from '../app/context.ts';
import { scopeOf } from '../database/tree.ts';
import { refuse } from '../app/refuse.ts';
import { addToken, findSession, isLive, isReused, touchSession } from '../authority/session.store.ts';
import { authorityOf } from '../authority/authority.ts';
import { endReused } from '../actions/token-reuse.ts';
import { hashOf, nextToken } from '../authority/token.ts';

export interface Authenticated {
  caller: Caller;
  /** The next token, sent in the envelope once the current one is due for renewal. */
  renewed: string | undefined;
  expiresAt: number;
}

/**
 * Finds the caller by the header `token`.
 *
 * @throws Refused 400 when no open session has this token
 */
export async function authenticate(app: App, tokenKey: string, request: FastifyRequest): Promise<Authenticated> {
  const token = request.headers['token'];
  if (typeof token !== 'string' || !/^[\w-]{43}$/.test(token)) throw refuse(refusals.sessionInvalid);
  const now = app.clock.now();
  const hash = hashOf(token);
  const found = await findSession(app.system, hash, { withPosition: app.replica !== undefined });
  if (found && isReused(found, now)) await endReused(app, found, originOf(request));
  if (!found || !isLive(found, now)) throw refuse(refusals.sessionInvalid);
  const expiresAt = await touchSession(app.system, found, hash, now, request.headers[IDLE_HEADER] === '1');
  let renewed: string | undefined;
  if (now - found.issuedAt > TOKEN_RENEW_MINUTES * 60_000) {
    renewed = nextToken(tokenKey, token);
    await addToken(app.system, found.sessionId, hashOf(renewed), hash, now);
  }
  const caller = {
    ...authorityOf(app, found, now),
    scope: await scopeOf(app.system, found.operatorId, found),
    credential: { tokenHash: hash, treeVersion: found.treeVersion },
    ...originOf(request),
    position: found.position,
  };
  return { caller, renewed, expiresAt };
}

/** Request id, address and user agent, as sessions and audit rows store them. */
export function originOf(request: FastifyRequest): Pick<Caller, 'requestId' | 'ip' | 'userAgent'> {
  const agent = request.headers['user-agent'];
  return { requestId: request.id, ip: request.ip, userAgent: typeof agent === 'string' ? agent.slice(0, 256) : '' };
}
