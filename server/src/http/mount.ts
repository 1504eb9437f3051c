import { API_BASE } from '@hengtai/contract/endpoint';
import { CODE } from '@hengtai/contract/envelope';
import { refusals } from '@hengtai/contract/refusals';
import { type ExportSpec, exportQueued } from '@hengtai/contract/export';
import type { Endpoint } from '@hengtai/contract/schema';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type App, type Caller, can } from '../context.ts';
import type { Db } from '../db/connect.ts';
import { readList, readFromPrimary } from '../db/replica.ts';
import type { ListReader } from '../db/list.ts';
import { type Slots, exportSlots } from '../export/slots.ts';
import { Refused, refuse, refuseField } from '../refuse.ts';
import { type AskApproval, type SealedAction, act } from './action.ts';
import { recordRefusal } from './action-audit.ts';
import { parseExport, recordRefusedExport, sendExport } from './export.ts';
import { authorize, refreshCaller } from './authority.ts';
import { requireFreshCode, requireSetUp } from './fresh.ts';
import { sendFile } from './file.ts';
import type { AnyHandler, Filer, Imager, ReadHandler, SessionCall, SessionHandler, Streamer } from './handler.ts';
import { type Answer, keyFor } from './idempotency.ts';
import { operatorBodyParser, queryParser } from './input.ts';
import { sendImage } from './image.ts';
import { type Authenticated, authenticate, originOf } from './session-hook.ts';
import { PUBLIC_BODY_MAX } from './receive-limits.ts';
import type { Streams } from './stream.ts';

export interface Mounting {
  app: App;
  tokenKey: string;
  ask: AskApproval;
  streams: Streams;
  /** Aborted when the server is asked to end. */
  closing: AbortSignal;
}

declare module 'fastify' {
  interface FastifyRequest {
    authenticated?: Authenticated;
  }
}

/**
 * Makes the contract's calls answer. The order of the checks is the same for all of them: session 400 (before the body is
 * read), input 422, codes that a policy demands and that are not set up 428, ability 403, scope 404, fresh code 428, state
 * 409.
 */
export function mount(
  server: FastifyInstance,
  mounting: Mounting,
  endpoints: Record<string, Record<string, Endpoint>>,
  handlers: Record<string, Record<string, AnyHandler>>,
): void {
  const slots = exportSlots();
  for (const [noun, calls] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      const handler = handlers[noun]?.[endpoint.call.of ?? name];
      if (!handler) throw new Error(`No handler for ${noun}.${name}`);
      if (isExport(endpoint.call))
        mountExport(server, mounting, slots, noun, { ...endpoint, call: endpoint.call }, handler);
      else mountOne(server, mounting, `${noun}.${name}`, endpoint, handler);
    }
  }
}

const isExport = (call: Endpoint['call']): call is ExportSpec => call.kind === 'export';

/** The way in is the same for all calls: nothing is kept of the answer, and strangers are refused before the body is read. */
const doorOf = (mounting: Mounting, call: Endpoint['call']): Omit<RouteOptions, 'handler'> => ({
  method: call.method,
  url: `${API_BASE}${call.path}`,
  exposeHeadRoute: false,
  ...(call.public ? { config: { public: true }, bodyLimit: PUBLIC_BODY_MAX } : {}),
  onRequest: async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!call.public) request.authenticated = await authenticate(mounting.app, mounting.tokenKey, request);
  },
});

/** An export answers with a file, and with an envelope where it is refused, or where a job makes the file later. */
function mountExport(
  server: FastifyInstance,
  mounting: Mounting,
  slots: Slots,
  noun: string,
  { call, input }: Endpoint & { call: ExportSpec },
  handler: AnyHandler,
): void {
  const read = operatorBodyParser(input, call.list);
  const { app, closing } = mounting;
  // An export is derived from a list with columns, whose handler is one by its type.
  const list = handler as unknown as ListReader<unknown, unknown>;
  server.route({
    ...doorOf(mounting, call),
    handler: async (request, reply) => {
      const asked = parseExport(call, read(request.body));
      const caller = await callerAfterBody(app, call, request);
      if (!caller) throw refuse(refusals.sessionInvalid);
      try {
        requireSetUp(caller, call);
        const { form } = asked;
        const made = await sendExport({ app, closing, slots, noun, call, list, caller, form }, asked.request, reply);
        if (made) {
          const token = request.authenticated?.renewed;
          const answer = { code: CODE.ok, msg: exportQueued(app.exports.jobRows), data: made };
          return token === undefined ? answer : { ...answer, token };
        }
      } catch (error) {
        await recordRefusedExport(app, caller, noun, error);
        throw error;
      }
      return reply;
    },
  });
}

function mountOne(
  server: FastifyInstance,
  mounting: Mounting,
  name: string,
  endpoint: Endpoint,
  handler: AnyHandler,
): void {
  const { call } = endpoint;
  const read =
    call.method === 'GET' ? queryParser(endpoint.input, call.kind === 'list') : operatorBodyParser(endpoint.input);
  server.route({
    ...doorOf(mounting, call),
    handler: async (request, reply) => {
      const input = read(call.method === 'GET' ? request.query : request.body);
      if (call.kind === 'stream') return stream(mounting, handler as Streamer<unknown>, call, request, reply, input);
      if (call.kind === 'file')
        return sendFile(
          { app: mounting.app, closing: mounting.closing, name },
          handler as Filer<unknown>,
          call,
          request,
          reply,
          input,
        );
      if (call.kind === 'image')
        return sendImage(mounting.app, name, handler as Imager<unknown>, call, request, reply, input);
      const answer = await dispatch(mounting, name, endpoint, handler, request, input);
      const token = answer.token ?? request.authenticated?.renewed;
      return token === undefined ? answer : { ...answer, token };
    },
  });
}

/** Until it begins a stream is refused like any call; from then on it is the handler's. */
async function stream(
  { app, streams }: Mounting,
  handler: Streamer<unknown>,
  call: Endpoint['call'],
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<FastifyReply> {
  const caller = request.authenticated?.caller;
  if (!caller) throw refuse(refusals.sessionInvalid);
  requireSetUp(caller, call);
  if (call.ability !== undefined && !can(caller.operator, call.ability)) throw refuse(refusals.forbidden);
  await handler({ app, caller, open: () => streams.open(reply) }, input);
  return reply;
}

type Sent = Answer & { token?: string };

async function dispatch(
  { app, ask }: Pick<Mounting, 'app' | 'ask'>,
  name: string,
  { call }: Endpoint,
  handler: AnyHandler,
  request: FastifyRequest,
  input: unknown,
): Promise<Sent> {
  const caller = await callerAfterBody(app, call, request);
  if (call.kind === 'session') {
    // The schema has made sure that the input is what the handler takes; so it has below.
    return (handler as SessionHandler<unknown>)(sessionCall(app, request, caller), input);
  }
  if (!caller) throw refuse(refusals.sessionInvalid);
  const key = call.kind === 'action' ? keyHeader(request) : undefined;
  validateInput(handler, input);
  try {
    if (typeof handler === 'function') {
      authorize(caller, call);
      const reader = handler as ReadHandler<unknown, unknown>;
      const read = (db: Db): Promise<unknown> => reader({ ...caller, db }, input, app);
      const data = await (call.kind === 'list' ? readList(app, caller, read) : readFromPrimary(app, caller, read));
      return { code: CODE.ok, msg: 'ok', data };
    }
    if ('each' in handler) {
      // Once for all of them, before anything is done.
      authorize(caller, call);
      requireFreshCode(caller, call);
      const { ids, ...shared } = input as { ids: number[] };
      const each = handler.each as SealedAction<unknown, unknown>;
      return await actOnEach({ app, caller, ask, call, each }, ids, shared, key);
    }
    const action = handler as SealedAction<unknown, unknown>;
    return await act(
      app,
      caller,
      ask,
      action,
      input,
      key === undefined ? undefined : keyFor(key, call.path, input as object),
    );
  } catch (error) {
    if (error instanceof Refused) await recordRefusal(app, caller, recordedName(handler, name), error, input);
    throw error;
  }
}

/** A refusal stands in the audit log under the name that the action itself has there. */
function recordedName(handler: AnyHandler, name: string): string {
  if (typeof handler === 'function') return name;
  return 'each' in handler ? handler.each.name : handler.name;
}

/** What a schema cannot say is malformed input like any other, and refused before the ability is asked. */
function validateInput(handler: AnyHandler, input: unknown): void {
  if (typeof handler === 'function') return;
  if (!('each' in handler)) return (handler as SealedAction<unknown, unknown>).validate(input);
  const { ids, ...shared } = input as { ids: number[] };
  (handler.each as SealedAction<unknown, unknown>).validate({ ...shared, id: ids[0] });
}

interface Bulk {
  app: App;
  caller: Authenticated['caller'];
  ask: AskApproval;
  call: Endpoint['call'];
  each: SealedAction<unknown, unknown>;
}

/** One transaction an id; what worked stays, and each refusal stands beside its id. */
async function actOnEach(bulk: Bulk, ids: readonly number[], shared: object, key: string | undefined): Promise<Answer> {
  const results: { id: number; code: number; msg: string }[] = [];
  for (const id of ids) {
    const input = { ...shared, id };
    try {
      const own = key === undefined ? undefined : keyFor(`${key}:${id}`, bulk.call.path, input);
      const { code, msg } = await act(bulk.app, bulk.caller, bulk.ask, bulk.each, input, own);
      results.push({ id, code, msg });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await recordRefusal(bulk.app, bulk.caller, bulk.each.name, error, input);
      results.push({ id, code: error.refusal.code, msg: error.message });
    }
  }
  return { code: CODE.ok, msg: '操作成功', data: { results } };
}

/**
 * Who asks, as of now that the body is there. An action reads it inside its transaction, which is what counts; a bulk call
 * is refused as a whole before its first transaction.
 */
async function callerAfterBody(app: App, call: Endpoint['call'], request: FastifyRequest): Promise<Caller | undefined> {
  const caller = request.authenticated?.caller;
  if (!caller || call.method === 'GET' || (call.kind === 'action' && !call.bulk)) return caller;
  return refreshCaller(app, caller);
}

function sessionCall(app: App, request: FastifyRequest, caller: Caller | undefined): SessionCall {
  const device = request.headers['device'];
  return {
    app,
    caller,
    expiresAt: request.authenticated?.expiresAt ?? 0,
    origin: originOf(request),
    device: typeof device === 'string' && /^[\w-]{43}$/.test(device) ? device : undefined,
  };
}

function keyHeader(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) throw refuseField('idempotency-key', '格式不正确');
  return key;
}

export function sendRefusal(reply: FastifyReply, error: Refused, token?: string): FastifyReply {
  const { code } = error.refusal;
  const transport = TRANSPORT.has(error.refusal) || code === CODE.tooMany || code >= 500;
  return reply
    .status(transport ? code : 200)
    .send({ code, msg: error.message, data: error.data, ...(token === undefined ? {} : { token }) });
}

/** Refusals of the transport keep their HTTP status; handled outcomes are 200 and say their code in the envelope. */
const TRANSPORT: ReadonlySet<unknown> = new Set([
  refusals.noSuchPath,
  refusals.unknownHost,
  refusals.tooLarge,
  refusals.mediaType,
]);
