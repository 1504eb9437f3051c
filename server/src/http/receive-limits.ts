import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Time limits for receiving a request, and how many incomplete ones an unauthenticated client may have. */
export interface ReceiveLimits {
  headersMs: number;
  /** Time from the end of the headers to the end of the body. */
  bodyMs: number;
  /** An authenticated upload may exceed `bodyMs` while at least this many bytes arrive in each further `bodyMs`. */
  minUploadBytes: number;
  idleMs: number;
  /** Interval at which connections are checked against `headersMs`. */
  checkMs: number;
  unfinishedPerAddress: number;
}

export const RECEIVE_LIMITS: ReceiveLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  minUploadBytes: 32 * 1024,
  idleMs: 75_000,
  checkMs: 2_000,
  unfinishedPerAddress: 64,
};

/** Maximum body size, in bytes, of calls that need no session. */
export const PUBLIC_BODY_MAX = 4 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call needs no session, so its client is unauthenticated while its body is read. */
    public?: boolean;
  }
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the connection ended before the body was complete. */
export const wasAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Requests of unauthenticated clients whose body is incomplete, by address, oldest first. */
type Unfinished = Map<string, Set<FastifyRequest>>;

/**
 * Disconnects clients that do not finish their requests. Only receiving is limited; responses, streams, long polls and
 * exports may take longer.
 */
export function limitReceiving(server: FastifyInstance, limits: ReceiveLimits): void {
  const unfinished: Unfinished = new Map();
  const forget = (request: FastifyRequest): void => {
    const all = unfinished.get(request.ip);
    all?.delete(request);
    if (all?.size === 0) unfinished.delete(request.ip);
  };
  server.addHook('onRequest', async (request) => {
    if (!hasBody(request)) return;
    // Other calls are authenticated by a header before their body is read.
    const isAnonymous = request.is404 || request.routeOptions.config.public === true;
    const stop = limitTime(request, limits, !isAnonymous);
    const done = (): void => {
      stop();
      forget(request);
    };
    request.raw.once('end', done);
    request.raw.once('close', done);
    if (!isAnonymous) return;
    const all = unfinished.get(request.ip) ?? new Set();
    unfinished.set(request.ip, all.add(request));
    const [oldest] = all;
    if (all.size > limits.unfinishedPerAddress) oldest?.raw.destroy();
  });
  // Otherwise the rest of a refused body would still be received.
  server.addHook('onSend', async (request, reply) => {
    if (hasBody(request) && !request.raw.complete) reply.header('connection', 'close');
  });
}

/** Destroys the connection when the body takes too long; returns a function that cancels this. */
function limitTime(
  { raw }: FastifyRequest,
  { bodyMs, minUploadBytes }: ReceiveLimits,
  isAuthenticated: boolean,
): () => void {
  let lastBytesRead = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    const isProgressing = isAuthenticated && bytesRead - lastBytesRead >= minUploadBytes;
    lastBytesRead = bytesRead;
    if (!isProgressing) raw.destroy();
  }, bodyMs);
  timer.unref();
  return () => clearInterval(timer);
}
