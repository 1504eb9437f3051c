import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import { endpoints } from '@hengtai/contract/index.schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { sql } from 'kysely';
import { rootOf } from '../host/audit-key.ts';
import type { App } from '../app/context.ts';
import { mountGateway } from '../gateway/gateway.routes.ts';
import { mountConsole } from '../http/console.ts';
import { asRefusal, handleErrors, sendRefusal } from '../http/errors.ts';
import { checkHosts } from '../http/hosts.ts';
import { mount } from '../http/mount.ts';
import { openApiDocument } from '../http/openapi.ts';
import { type SecurityContact, mountSecurityText } from '../http/security-txt.ts';
import { closeUnusedConnections } from '../http/unused-connections.ts';
import { makeStreams } from '../http/stream.ts';
import { RECEIVE_LIMITS, type ReceiveLimits, hasBody, limitReceiving } from '../http/receive-limits.ts';
import { parseJson } from '../http/wire-values.ts';
import { waitForIdleHub } from '../realtime/hub.ts';
import { Refused } from '../app/refuse.ts';
import { handlers, platform } from '../modules.ts';
import { type Readiness, makeReadiness } from '../watch/readiness.ts';
import { fetchInstallation } from '../authority/session.store.ts';

const BODY_MAX = 1024 * 1024;

export interface ServerOptions {
  trustProxy: boolean | number | string;
  /** Replaces limits of the product; tests use shorter ones. */
  receive?: Partial<ReceiveLimits>;
  /** Folder of the built console; without it only the API is served. */
  consoleDir?: string | undefined;
  /** Accepted host names; an empty list accepts all. */
  hosts?: readonly string[];
  security?: SecurityContact;
  /** The check behind /readyz, if other parts of the process use it too. */
  readiness?: () => Promise<Readiness>;
}

/** Builds the HTTP server of a process. The caller makes it listen. */
export async function buildServer(app: App, options: ServerOptions): Promise<FastifyInstance> {
  const { tokenKey } = await fetchInstallation(app.system);
  const stopController = new AbortController();
  const streams = makeStreams();
  const limits = { ...RECEIVE_LIMITS, ...options.receive };
  const logger: FastifyBaseLogger = app.log;
  const server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: toTrustOption(options.trustProxy),
    forceCloseConnections: 'idle',
    keepAliveTimeout: limits.idleMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkMs },
    routerOptions: { maxParamLength: 256 },
    // A path that cannot be decoded is refused before any hook and handler.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      void sendRefusal(reply, asRefusal(error));
    },
  });
  server.addHook('preClose', async () => {
    stopController.abort();
    streams.endAll();
  });
  server.addHook('onClose', () => waitForIdleHub(app));
  closeUnusedConnections(server);
  limitReceiving(server, limits);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Refused before the body is read, because the caller is not authenticated.
    if (request.is404 && hasBody(request)) throw new Refused(refusals.noSuchPath);
  });
  checkHosts(server, options.hosts ?? []);
  // A keep-alive connection would delay the shutdown.
  server.addHook('onSend', async (_request, reply) => {
    if (stopController.signal.aborted) reply.header('connection', 'close');
  });
  server.addHook('onResponse', async (request, reply) => {
    countRequest(app, request, reply);
    const path = request.routeOptions.url ?? '-';
    const fields = {
      id: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    app.log.info(fields, 'request');
  });
  parseJsonBodies(server);
  handleErrors(server);
  await addSecurityHeaders(server, app);
  await server.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  mount(server, { app, tokenKey, streams, stopSignal: stopController.signal }, endpoints, handlers);
  const document = openApiDocument();
  server.get('/api/v1/openapi.json', { exposeHeadRoute: false }, async () => document);
  mountPublicEndpoints(server, app, options);
  mountGateway(server, app, platform, stopController.signal);
  const consoleFiles = options.consoleDir ? await mountConsole(server, options.consoleDir) : undefined;
  server.setNotFoundHandler((request, reply) => {
    if (consoleFiles?.(request.method, request.url)) return consoleFiles.send(request, reply);
    return sendRefusal(reply, new Refused(refusals.noSuchPath));
  });
  return server;
}

/** Serves what needs no session: the audit key, the health checks and the security contact. */
function mountPublicEndpoints(
  server: FastifyInstance,
  app: App,
  options: Pick<ServerOptions, 'security' | 'readiness'>,
): void {
  server.get('/.well-known/hengtai-audit-key', { exposeHeadRoute: false }, async () => {
    const { publicKey, fingerprint } = app.auditKey;
    return { algorithm: 'Ed25519', publicKey, fingerprint, root: rootOf(app.auditKey) };
  });
  server.get('/livez', { exposeHeadRoute: false }, async () => ({ status: 'ok' }));
  const readiness = options.readiness ?? makeReadiness(app);
  server.get('/readyz', { exposeHeadRoute: false }, async (_request, reply) => {
    const found = await readiness();
    return reply.status(found.status === 'unready' ? 503 : 200).send(found);
  });
  server.get('/healthz', { exposeHeadRoute: false }, async () => {
    await sql`select 1`.execute(app.system);
    return { status: 'ok' };
  });
  if (options.security) mountSecurityText(server, () => app.clock.now(), options.security);
}

/** Health checks and files of the console are no calls; the log has them. */
function countRequest({ state }: App, request: FastifyRequest, reply: FastifyReply): void {
  const { call, waits } = request.routeOptions.config;
  if (call === undefined) return;
  state.metrics.requests.inc({ call, code: request.outcome ?? reply.statusCode });
  if (!waits) state.metrics.requestSeconds.observe({ call }, reply.elapsedTime / 1000);
}

function parseJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : parseJson(String(body)));
    } catch {
      done(new Refused(refusals.brokenJson));
    }
  });
}

/** A number means that many trusted proxies; Fastify counts hops from the nearest proxy, starting at 0. */
const toTrustOption = (
  trust: ServerOptions['trustProxy'],
): boolean | string | ((address: string, hop: number) => boolean) =>
  typeof trust === 'number' ? (_address, hop) => hop < trust : trust;

/**
 * Allows scripts of this origin only, nothing inline and no HTML sinks. The console's CSS-in-JS needs inline styles. Windows
 * of other origins cannot reach the console, except the signing page that it opens.
 */
async function addSecurityHeaders(server: FastifyInstance, { signingPage }: Pick<App, 'signingPage'>): Promise<void> {
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['default'],
      },
    },
    crossOriginOpenerPolicy: { policy: signingPage?.isApart ? 'same-origin-allow-popups' : 'same-origin' },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // Other hosts of the same domain may still need plain HTTP.
    strictTransportSecurity: { includeSubDomains: false },
  });
}
