import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What a client may take to send a request, and how many it may leave unfinished before it has shown who it is. */
export interface ReceiveLimits {
  headersMs: number;
  /** From the end of the headers to the end of the body. */
  bodyMs: number;
  /** Bytes of an authenticated upload that must arrive in each further `bodyMs`, so that a slow line is not cut. */
  bytesOnTheWay: number;
  idleMs: number;
  /** How often connections are checked against `headersMs`. */
  checkMs: number;
  unfinishedPerAddress: number;
}

export const RECEIVE_LIMITS: ReceiveLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  bytesOnTheWay: 32 * 1024,
  idleMs: 75_000,
  checkMs: 2_000,
  unfinishedPerAddress: 64,
};

/** Bodies of calls that need no session. */
export const PUBLIC_BODY_MAX = 4 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call needs no session, so its sender stays unknown while its body is read. */
    public?: boolean;
  }
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the client went away, or was cut off, before its body was complete. */
export const wasAborted = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Bodies that are still being received from clients that have not shown who they are, by address and oldest first. */
type Unfinished = Map<string, Set<FastifyRequest>>;

/**
 * Cuts off clients that do not finish their requests. Only what is received is limited: answers, streams, long polls and
 * exports take as long as they take.
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
    // Other calls show a token or a key first and are refused before their body is read.
    const isStranger = request.is404 || request.routeOptions.config.public === true;
    const stop = limitTime(request, limits, !isStranger);
    const done = (): void => {
      stop();
      forget(request);
    };
    request.raw.once('end', done);
    request.raw.once('close', done);
    if (!isStranger) return;
    const all = unfinished.get(request.ip) ?? new Set();
    unfinished.set(request.ip, all.add(request));
    const [oldest] = all;
    if (all.size > limits.unfinishedPerAddress) oldest?.raw.destroy();
  });
  // What is refused before its body is complete would otherwise be received to its end.
  server.addHook('onSend', async (request, reply) => {
    if (hasBody(request) && !request.raw.complete) reply.header('connection', 'close');
  });
}

/** Destroys the connection when the body takes too long; returns what stops watching. */
function limitTime(
  { raw }: FastifyRequest,
  { bodyMs, bytesOnTheWay }: ReceiveLimits,
  isAuthenticated: boolean,
): () => void {
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket;
    const isOnTheWay = isAuthenticated && bytesRead - before >= bytesOnTheWay;
    before = bytesRead;
    if (!isOnTheWay) raw.destroy();
  }, bodyMs);
  timer.unref();
  return () => clearInterval(timer);
}
