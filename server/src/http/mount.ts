import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { CODE } from '@hengtai/contract/wire/envelope';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type ExportSpec, exportQueued } from '@hengtai/contract/desk/export/calls';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { App, Caller } from '../app/context.ts';
import type { Db } from '../database/connect.ts';
import { readList, readFromPrimary } from './read.ts';
import type { ListReader } from '../books/lists/list.ts';
import { type Slots, exportSlots } from '../books/exports/slots.ts';
import { Refused, refuse } from '../app/refuse.ts';
import { inSpan } from '../host/trace.ts';
import { type RegisteredAction, performAction } from '../actions/action.ts';
import { recordRefusal } from '../actions/action-audit.ts';
import { parseExport, recordRefusedExport, sendExport } from './export.ts';
import { authorize, refreshCaller } from '../authority/authority.ts';
import { requireFreshCode, requireSetUp } from '../authority/fresh.ts';
import { type FileBody, acceptFiles, fileReader, receive } from './file-body.ts';
import { sendFile } from './file.ts';
import type {
  AnyHandler,
  DownloadHandler,
  FileAction,
  ImageHandler,
  ReadHandler,
  SessionCall,
  SessionHandler,
  StreamHandler,
} from './handler.ts';
import { type Answer, keyFor } from '../actions/idempotency.ts';
import { digestOfCall, idempotencyKeyOf } from './idempotency-key.ts';
import { operatorBodyParser, queryParser } from './input.ts';
import { type SplitInput, readOnlyFieldsOf, takeReadOnly } from './read-only.ts';
import { actOnEach } from './bulk.ts';
import { sendImage } from './image.ts';
import { type Authenticated, authenticate, originOf } from './session-hook.ts';
import { PUBLIC_BODY_MAX } from './receive-limits.ts';
import type { Streams } from './stream.ts';

export interface MountOptions {
  app: App;
  tokenKey: string;
  streams: Streams;
  /** Aborted when the server shuts down. */
  stopSignal: AbortSignal;
}

declare module 'fastify' {
  interface FastifyRequest {
    authenticated?: Authenticated;
    /** The code of the envelope that answers the request. */
    outcome?: number;
  }
  interface FastifyContextConfig {
    /** Name of the call in the metrics. */
    call?: string;
    /** Streams and long polls, whose duration says nothing. */
    waits?: boolean;
  }
}

/**
 * Registers a route for each call of the contract. All calls make their checks in one order: session 400 (before the body
 * is read), input 422, missing setup of password or codes 428, ability 403, scope 404, fresh code 428, state 409.
 *
 * @throws Error at startup when a call has no handler
 */
export function mount(
  server: FastifyInstance,
  options: MountOptions,
  endpoints: Record<string, Record<string, Endpoint>>,
  handlers: Record<string, Record<string, AnyHandler>>,
): void {
  const slots = exportSlots();
  for (const [noun, calls] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      const handler = handlers[noun]?.[endpoint.call.listName ?? name];
      if (!handler) throw new Error(`No handler for ${noun}.${name}`);
      if (isExport(endpoint.call))
        mountExport(server, options, slots, { noun, name }, { ...endpoint, call: endpoint.call }, handler);
      else if (endpoint.fileQuery)
        server.register(async (files) => {
          acceptFiles(files);
          mountOne(files, options, `${noun}.${name}`, endpoint, handler);
        });
      else mountOne(server, options, `${noun}.${name}`, endpoint, handler);
    }
  }
}

const isExport = (call: Endpoint['call']): call is ExportSpec => call.kind === 'export';

/** Options shared by every route: responses are not cached, and authentication runs before the body is parsed. */
const routeOptionsFor = (
  options: MountOptions,
  name: string,
  call: Endpoint['call'],
): Omit<RouteOptions, 'handler'> => ({
  method: call.method,
  url: `${API_BASE}${call.path}`,
  exposeHeadRoute: false,
  config: { call: name, public: call.public === true, waits: call.kind === 'stream' },
  ...(call.public ? { bodyLimit: PUBLIC_BODY_MAX } : {}),
  ...(call.bodyBytesMax === undefined ? {} : { bodyLimit: call.bodyBytesMax }),
  onRequest: async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!call.public) request.authenticated = await authenticate(options.app, options.tokenKey, request);
  },
});

/** An export answers with a file. A refusal, or a job that makes the file later, is answered with an envelope. */
function mountExport(
  server: FastifyInstance,
  options: MountOptions,
  slots: Slots,
  { noun, name }: { noun: string; name: string },
  { call, input }: Endpoint & { call: ExportSpec },
  handler: AnyHandler,
): void {
  const parse = operatorBodyParser(input, call.list);
  const { app, stopSignal } = options;
  // The type system guarantees the cast: an export is derived from a list with columns, whose handler is a ListReader.
  const list = handler as unknown as ListReader<unknown, unknown>;
  server.route({
    ...routeOptionsFor(options, `${noun}.${name}`, call),
    handler: async (request, reply) => {
      const { form, request: parsed } = parseExport(call, parse(request.body));
      const caller = await callerAfterBody(app, `${noun}.${name}`, call, request);
      if (!caller) throw refuse(refusals.sessionInvalid);
      try {
        requireSetUp(caller, call);
        const job = await sendExport({ app, stopSignal, slots, noun, call, list, caller, form }, parsed, reply);
        if (job) {
          const token = request.authenticated?.renewed;
          const answer = { code: CODE.ok, msg: exportQueued(app.exports.jobRows), data: job };
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
  options: MountOptions,
  name: string,
  endpoint: Endpoint,
  handler: AnyHandler,
): void {
  const { call } = endpoint;
  const readFile = fileReader(endpoint);
  const readOnlyFields = readOnlyFieldsOf(endpoint.input);
  const parse =
    call.method === 'GET' ? queryParser(endpoint.input, call.kind === 'list') : operatorBodyParser(endpoint.input);
  server.route({
    ...routeOptionsFor(options, name, call),
    handler: async (request, reply) => {
      const file = readFile(request);
      const input = file ? file.fields : parse(call.method === 'GET' ? request.query : request.body);
      if (call.kind === 'stream')
        return openStream(options, handler as StreamHandler<unknown>, call, request, reply, input);
      if (call.kind === 'file')
        return sendFile(
          { app: options.app, stopSignal: options.stopSignal, name },
          handler as DownloadHandler<unknown>,
          call,
          request,
          reply,
          input,
        );
      if (call.kind === 'image')
        return sendImage(options.app, name, handler as ImageHandler<unknown>, call, request, reply, input);
      const answer = await inSpan(`request ${name}`, { 'hengtai.call': name }, () =>
        dispatch(options, name, endpoint, handler, request, { ...takeReadOnly(input, readOnlyFields), file }),
      );
      request.outcome = answer.code;
      const token = answer.token ?? request.authenticated?.renewed;
      return token === undefined ? answer : { ...answer, token };
    },
  });
}

/** A stream is refused like any call until its handler opens it. */
async function openStream(
  { app, streams }: MountOptions,
  handler: StreamHandler<unknown>,
  call: Endpoint['call'],
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<FastifyReply> {
  const caller = request.authenticated?.caller;
  if (!caller) throw refuse(refusals.sessionInvalid);
  authorize(caller, call);
  await handler({ app, caller, open: () => streams.open(reply) }, input);
  return reply;
}

type AnswerWithToken = Answer & { token?: string };

async function dispatch(
  { app }: Pick<MountOptions, 'app'>,
  name: string,
  { call }: Endpoint,
  handler: AnyHandler,
  request: FastifyRequest,
  { input, readOnly, file }: SplitInput & { file: FileBody | undefined },
): Promise<AnswerWithToken> {
  const caller = await callerAfterBody(app, name, call, request);
  if (call.kind === 'session') {
    // The input matches its schema, so this cast and those below are safe.
    return (handler as SessionHandler<unknown>)(makeSessionCall(app, request, caller), input);
  }
  if (!caller) throw refuse(refusals.sessionInvalid);
  const key = call.kind === 'action' && !call.lookup ? idempotencyKeyOf(request) : undefined;
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
      // Checked once for the whole bulk call, before its first transaction.
      authorize(caller, call);
      await requireFreshCode({ ...caller, db: app.system }, call);
      const { ids, ...shared } = input as { ids: number[] };
      const each = handler.each as RegisteredAction<unknown, unknown>;
      return await actOnEach({ app, caller, call, each }, ids, shared, key);
    }
    const action = handler as RegisteredAction<unknown, unknown>;
    const parsedInput =
      'receive' in handler
        ? await receive({ app, caller }, handler as FileAction<unknown, unknown>, input, file)
        : (input as object);
    const idempotency = key === undefined ? undefined : keyFor(key, call.path, { ...parsedInput, ...readOnly });
    return await performAction(app, caller, action, parsedInput, idempotency, readOnly);
  } catch (error) {
    if (error instanceof Refused) await recordRefusal(app, caller, auditNameOf(handler, name), error, input);
    throw error;
  }
}

/** A refusal is audited under the same name as the action. */
function auditNameOf(handler: AnyHandler, name: string): string {
  if (typeof handler === 'function') return name;
  return 'each' in handler ? handler.each.name : handler.name;
}

/** Validates what the schema cannot express. Like every 422, this comes before the ability is checked. */
function validateInput(handler: AnyHandler, input: unknown): void {
  if (typeof handler === 'function') return;
  if (!('each' in handler)) return (handler as RegisteredAction<unknown, unknown>).validate(input);
  const { ids, ...shared } = input as { ids: number[] };
  (handler.each as RegisteredAction<unknown, unknown>).validate({ ...shared, id: ids[0] });
}

/**
 * The caller, read again after the body was received. A single action reads it in its own transaction instead. A bulk call
 * reads it here too, so that it is refused as a whole before its first transaction.
 */
async function callerAfterBody(
  app: App,
  name: string,
  call: Endpoint['call'],
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (!request.authenticated) return undefined;
  const caller = { ...request.authenticated.caller, call: name, digest: digestOfCall(call, request) };
  if (call.method === 'GET' || (call.kind === 'action' && !call.bulk)) return caller;
  return refreshCaller(app, caller);
}

function makeSessionCall(app: App, request: FastifyRequest, caller: Caller | undefined): SessionCall {
  const device = request.headers['device'];
  return {
    app,
    caller,
    expiresAt: request.authenticated?.expiresAt ?? 0,
    origin: originOf(request),
    device: typeof device === 'string' && /^[\w-]{43}$/.test(device) ? device : undefined,
  };
}
