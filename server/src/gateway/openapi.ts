import { COMMAND_TYPES, EVENT_REASONS, EVENT_TYPES, PLATFORM_BASE } from '@hengtai/contract/gateway/gateway';
import { commandData } from '@hengtai/contract/gateway/commands.schema';
import { gatewayErrors } from '@hengtai/contract/gateway/errors';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import {
  Acks,
  AckAnswer,
  AppliedEvent,
  CommandsQuery,
  Event,
  EventAnswer,
  Events,
  EventsQuery,
  Lease,
} from '@hengtai/contract/gateway/schema';
import { Id, Int, Ms } from '@hengtai/contract/wire/schema';
import { type TSchema, Type } from '@sinclair/typebox';
import { queryParameters } from '../http/openapi.ts';
import type { PlatformCall } from './handlers.ts';

/** Version of the calls, which all begin with `/platform/v1`. */
const API_VERSION = '1.0.0';

type Operation = Pick<PlatformCall, 'method' | 'path' | 'summary' | 'input' | 'output'> & {
  /** What the caller's key must have, in words. */
  right: string;
  /** Schema of the query of a POST. */
  query?: TSchema;
};

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
/** Name of the schema of an event or a command: `order.placed` becomes `OrderPlaced`. */
const nameOf = (type: string, suffix: string): string =>
  `${type.replace(/(^|\.)([a-z])/g, (_match, _dot, letter: string) => letter.toUpperCase())}${suffix}`;

/** The OpenAPI 3.1 document of the gateway, from the schemas that validate its calls. */
export function describeGateway(calls: readonly PlatformCall[]): object {
  const operations: Operation[] = [
    {
      method: 'POST',
      path: '/events',
      right: 'those of the families of the events',
      summary: 'Reports 1 to 1,000 events',
      query: EventsQuery,
      input: { ...Events, items: reference('Event') },
      output: Type.Array(EventAnswer),
    },
    {
      method: 'GET',
      path: '/events/{eventId}',
      right: 'that of the family of the event',
      summary: 'Returns an applied event',
      input: Type.Pick(Event, ['eventId']),
      output: AppliedEvent,
    },
    {
      method: 'GET',
      path: '/commands',
      right: 'commands',
      summary: 'Receives commands, by long polling',
      input: CommandsQuery,
      output: { type: 'array', items: reference('Command') } as unknown as TSchema,
    },
    {
      method: 'POST',
      path: '/commands/ack',
      right: 'commands',
      summary: 'Answers 1 to 1,000 commands',
      input: Acks,
      output: Type.Array(AckAnswer),
    },
    ...calls,
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: 'HengTai platform gateway',
      version: API_VERSION,
      description: 'Events of an exchange and commands to it. docs/gateway.md explains delivery, states and money.',
    },
    servers: [{ url: PLATFORM_BASE.slice(0, -1) }],
    security: [
      { key: [], time: [], signature: [] },
      { key: [], time: [], nonce: [], signature: [] },
    ],
    paths: toPaths(operations),
    components: { securitySchemes, schemas: toSchemas() },
  };
}

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });
const securitySchemes = {
  key: header('x-key', 'key of the platform'),
  time: header('x-time', 'unix milliseconds, within five minutes of the server'),
  nonce: header('x-nonce', '16 to 64 letters, digits, - and _, new for each call; a key can demand it'),
  signature: header(
    'x-signature',
    'lower-case hex of HMAC-SHA256(secret, x-time + "\\n" + METHOD + "\\n" + path and query + "\\n" + raw body); with a ' +
      'nonce, x-time + " " + x-nonce stands for x-time',
  ),
};

function toPaths(operations: readonly Operation[]): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { method, path, right, summary, input, query = method === 'GET' ? input : undefined } = operation;
    const operationId = path
      .slice(1)
      .replaceAll(/[{}]/g, '')
      .replaceAll(/\/(\w)/g, (_match, letter: string) => letter.toUpperCase());
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId,
      summary,
      description: `Rights of the key: ${right}.`,
      ...(query ? { parameters: parametersOf(path, query) } : {}),
      ...(input && method === 'POST' ? { requestBody: { required: true, content: json(input) } } : {}),
      responses: toResponses(operation),
    };
  }
  return paths;
}

const parametersOf = (path: string, input: TSchema): object[] =>
  queryParameters(input).map((one) => (path.includes(`{${one.name}}`) ? { ...one, in: 'path' } : one));

const errorEntries = Object.entries(gatewayErrors);
const errorStatuses = [...new Set(errorEntries.map(([, { status }]) => status))];

function toResponses({ output }: Operation): Record<string, object> {
  const ok = Type.Object({ code: Type.Literal(200), msg: Type.Literal('ok'), data: output });
  const refused = errorStatuses.map((status) => {
    const errors = errorEntries.filter(([, error]) => error.status === status);
    const description = errors.map(([error, { message }]) => `${error}: ${message}`).join('; ');
    return [status, { description, content: json(reference('Refusal')) }] as const;
  });
  return { 200: { description: 'done', content: json(ok) }, ...Object.fromEntries(refused) };
}

const json = (schema: object) => ({ 'application/json': { schema } });

function toSchemas(): Record<string, object> {
  const events = EVENT_TYPES.map((type) => [nameOf(type, 'Event'), { type, data: eventData[type] }] as const);
  const commands = COMMAND_TYPES.map((type) => [nameOf(type, 'Command'), { type, data: commandData[type] }] as const);
  const { eventId, at } = Event.properties;
  return {
    Refusal: Type.Object({
      code: Type.Integer({ description: 'the HTTP status' }),
      msg: Type.String(),
      error: Type.Union(Object.keys(gatewayErrors).map((error) => Type.Literal(error))),
      data: Type.Unknown({ description: 'more about the error, such as serverTime or limit; null without' }),
    }),
    RejectionReason: {
      type: 'string',
      description: `Why an event was rejected. ${EVENT_REASONS.invalid}, ${EVENT_REASONS.unknown} and ${EVENT_REASONS.scope} are followed by ": " and the field.`,
      examples: Object.values(EVENT_REASONS),
    },
    Event: oneOf(events.map(([name, { type }]) => [type, name])),
    Command: oneOf(commands.map(([name, { type }]) => [type, name])),
    ...Object.fromEntries(
      events.map(([name, { type, data }]) => [
        name,
        Type.Object({ eventId, type: Type.Literal(type), at, data }, { additionalProperties: false }),
      ]),
    ),
    ...Object.fromEntries(
      commands.map(([name, { type, data }]) => [
        name,
        Type.Object({ seq: Id, id: Id, type: Type.Literal(type), at: Ms, attempt: Int, data, ...leased }),
      ]),
    ),
  };
}

/** What a command has besides if it was requested with a lease. */
const leased = { lease: Type.Optional(Lease), leaseUntil: Type.Optional(Ms) };

const oneOf = (types: (readonly [string, string])[]) => ({
  oneOf: types.map(([, name]) => reference(name)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(types.map(([type, name]) => [type, reference(name).$ref])),
  },
});
