import { readFileSync } from 'node:fs';

/** The JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: string | number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}

interface Operation {
  summary: string;
  parameters?: { name: string; required: boolean; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content: { 'application/json': { schema: Schema } } }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** What the clients have types for. */
export interface GatewayTypes {
  /** Schema of the data by type. */
  events: [type: string, data: Schema][];
  commands: [type: string, data: Schema][];
  /** The fields around the data of a command. */
  commandFields: Schema;
  eventAnswer: Schema;
  ack: Schema;
  ackAnswer: Schema;
  errors: Schema;
  reads: { path: string; query: Schema; data: Schema }[];
}

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as OpenApi;

/** Reads the types from docs/openapi.json. */
export function readGatewayTypes(): GatewayTypes {
  const { schemas } = document.components;
  const typed = (suffix: string): [string, Schema][] =>
    Object.entries(schemas)
      .filter(([name]) => name !== suffix && name.endsWith(suffix))
      .map(([, { properties = {} }]) => [String(properties['type']?.const), properties['data'] ?? {}]);
  const command = Object.entries(schemas).find(([name]) => name !== 'Command' && name.endsWith('Command'))?.[1];
  const { type: _type, data: _data, ...commandFields } = command?.properties ?? {};
  return {
    events: typed('Event'),
    commands: typed('Command'),
    commandFields: { ...command, properties: commandFields },
    eventAnswer: itemsOf(answerOf('/events', 'post')),
    ack: itemsOf(document.paths['/commands/ack']?.['post']?.requestBody?.content['application/json'].schema),
    ackAnswer: itemsOf(answerOf('/commands/ack', 'post')),
    errors: schemas['Refusal']?.properties?.['error'] ?? {},
    reads: Object.entries(document.paths).flatMap(([path, { get }]) =>
      get && path !== '/commands' && !path.includes('{')
        ? [{ path: path.slice(1), query: toQuery(get.parameters ?? []), data: answerOf(path, 'get') }]
        : [],
    ),
  };
}

const itemsOf = (list: Schema | undefined): Schema => list?.items ?? {};

const answerOf = (path: string, method: string): Schema =>
  document.paths[path]?.[method]?.responses['200']?.content['application/json'].schema.properties?.['data'] ?? {};

const toQuery = (parameters: NonNullable<Operation['parameters']>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

/** Name of a type: `order.placed` becomes `OrderPlaced`. */
export const nameOf = (type: string): string =>
  type.replaceAll(/(?:^|\.)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Whether objects that the client sends may omit this field. */
export const isOptional = ({ required = [] }: Schema, field: string): boolean => !required.includes(field);
