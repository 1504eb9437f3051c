import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refused } from '../app/refuse.ts';
import { wasAborted } from './receive-limits.ts';

/** Answers every error with an envelope that contains neither a stack trace nor SQL. */
export function handleErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: unknown, request, reply) => {
    const refused = asRefusal(error);
    const isServerError = refused.refusal.code >= 500;
    if (isServerError) logError(request, error, 'request failed');
    // A refused call still delivers a renewed token.
    return sendRefusal(reply, refused, isServerError ? undefined : request.authenticated?.renewed);
  });
}

/** Logs a server error. A client that disconnects before its body or the answer is complete is logged at debug level only. */
export function logError(request: FastifyRequest, error: unknown, message: string): void {
  const path = request.routeOptions.url;
  const hasClientLeft = request.raw.socket.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
  if (wasAborted(request) || hasClientLeft) request.log.debug({ path }, 'request aborted');
  else request.log.error({ err: error, path }, message);
}

/** Maps any thrown value to a refusal; unknown errors become a 500. */
export function asRefusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const code = codeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refused(refusals.tooLarge);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refused(refusals.mediaType);
  if (code === 'FST_ERR_BAD_URL') return new Refused(refusals.noSuchPath);
  if (code.startsWith('FST_ERR_CTP')) return new Refused(refusals.brokenJson);
  if (isMissingFile(error)) return new Refused(refusals.noSuchPath);
  if (isUnreachable(code, error)) return new Refused(refusals.unavailable);
  return new Refused(refusals.internalError);
}

/** The static file handler throws these statuses for paths that are not files. */
const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'status' in error && (error.status === 403 || error.status === 404);

const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0\d|08\w{3}|53300|55P03|25006)$/;

/** The database is down, starting or stopping, or a lock was not released in time: a retry can succeed. */
function isUnreachable(code: string, error: unknown): boolean {
  if (UNREACHABLE.test(code)) return true;
  return (
    error instanceof Error &&
    /connection terminated|timeout exceeded|read timeout|not queryable|is a standby/i.test(error.message)
  );
}

function codeOf(error: unknown): string {
  const code: unknown = error !== null && typeof error === 'object' && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Sends a refusal as an envelope; rate limits and server errors keep their HTTP status too. */
export function sendRefusal(reply: FastifyReply, error: Refused, token?: string): FastifyReply {
  const { code } = error.refusal;
  reply.request.outcome = error.refusal.code;
  const keepsStatus = WITH_HTTP_STATUS.has(error.refusal) || code === CODE.tooMany || code >= 500;
  return reply
    .status(keepsStatus ? code : 200)
    .send({ code, msg: error.message, data: error.data, ...(token === undefined ? {} : { token }) });
}

/** These refusals keep their HTTP status. Handled outcomes are HTTP 200 with the code in the envelope. */
const WITH_HTTP_STATUS: ReadonlySet<unknown> = new Set([
  refusals.noSuchPath,
  refusals.unknownHost,
  refusals.tooLarge,
  refusals.mediaType,
]);
