import { refusals } from '@hengtai/contract/refusals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from '../refuse.ts';
import { sendRefusal } from './mount.ts';
import { wasAborted } from './receive-limits.ts';

/** Every way in which a request can go wrong, as an envelope; never a stack, never SQL. */
export function handleErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: unknown, request, reply) => {
    const refused = asRefusal(error);
    const fault = refused.refusal.code >= 500;
    if (fault) logError(request, error, 'request failed');
    // An operator whose call was refused goes on with the token that was due.
    return sendRefusal(reply, refused, fault ? undefined : request.authenticated?.renewed);
  });
}

/** Logs an error of the server; a client that went away before its body was complete is none. */
export function logError(request: FastifyRequest, error: unknown, message: string): void {
  const path = request.routeOptions.url;
  if (wasAborted(request)) request.log.debug({ path }, 'request aborted');
  else request.log.error({ err: error, path }, message);
}

export function asRefusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const code = codeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refused(refusals.tooLarge);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refused(refusals.mediaType);
  if (code === 'FST_ERR_BAD_URL') return new Refused(refusals.noSuchPath);
  if (code.startsWith('FST_ERR_CTP')) return new Refused(refusals.brokenJson);
  if (isMissingFile(error)) return new Refused(refusals.noSuchPath);
  if (isUnreachable(code, error)) return new Refused(refusals.unavailable);
  return new Refused(refusals.fault);
}

/** What serving files says of a path that is no file. */
const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 403 || error.status === 404);

/** The database is down, starting or stopping: trying again later will do. */
function isUnreachable(code: string, error: unknown): boolean {
  if (/^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|57P0\d|08\d{3}|53300)$/.test(code)) return true;
  return error instanceof Error && /connection terminated|timeout exceeded|not queryable/i.test(error.message);
}

function codeOf(error: unknown): string {
  const code: unknown = error !== null && typeof error === 'object' && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
