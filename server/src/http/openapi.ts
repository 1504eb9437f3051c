import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import { exportTypes } from '@hengtai/contract/desk/export/calls';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { isAmount, isId } from './wire-values.ts';
import type { TSchema } from '@sinclair/typebox';

/** The OpenAPI 3.1 document of every call. The contract's schemas are JSON Schema and are used unchanged. */
export function openApiDocument(): object {
  const paths: Record<string, object> = {};
  for (const [noun, calls] of Object.entries<Record<string, Endpoint>>(endpoints)) {
    for (const [name, endpoint] of Object.entries(calls)) {
      paths[`${API_BASE}${endpoint.call.path}`] = {
        [endpoint.call.method.toLowerCase()]: operation(`${noun}.${name}`, endpoint),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: '衡台 HengTai',
      version: '1',
      description: 'Every handled outcome is HTTP 200; `code` carries the result.',
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } },
    },
  };
}

function operation(id: string, { call, input, output, fileQuery }: Endpoint): object {
  const isRead = call.method === 'GET';
  const { ability, also, target, reason, fresh, approvable, reveals } = call;
  const flags = { ability, also, target, reason, fresh, approvable, reveals };
  return {
    operationId: id,
    summary: call.summary,
    tags: [id.split('.')[0]],
    ...(call.public ? {} : { security: [{ token: [] }] }),
    ...(isRead
      ? { parameters: queryParameters(input) }
      : {
          parameters: [
            ...(call.kind === 'export' || call.lookup ? [] : [IDEMPOTENCY_KEY]),
            ...fileParameters(fileQuery),
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodySchema(input) }, ...(fileQuery && FILE_BODY) },
          },
        }),
    responses: { '200': answerOf(output, call.kind) },
    'x-flags': flags,
  };
}

const ID_TEXT = { type: 'string', pattern: '^(0|[1-9][0-9]{0,15})$' };
const SHORT_NUMBER = { type: 'number', description: 'at most 15 significant digits, no exponent' };

/** The schema of a body, extended by the alternative forms of ids and amounts that the server accepts. */
export function bodySchema(schema: TSchema): object {
  if (isId(schema)) return { anyOf: [schema, ID_TEXT] };
  if (isAmount(schema)) return { anyOf: [schema, SHORT_NUMBER] };
  if (schema['type'] === 'array') return { ...schema, items: bodySchema(schema['items']) };
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: schema['anyOf'].map(bodySchema) };
  if (schema['type'] !== 'object' || !schema['properties']) return schema;
  const properties: Record<string, TSchema> = schema['properties'];
  const described = Object.entries(properties).map(([field, property]) => [field, bodySchema(property)]);
  return { ...schema, properties: Object.fromEntries(described) };
}

const events = { 'text/event-stream': { schema: { type: 'string' } } };
const IDEMPOTENCY_KEY = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 128 },
};

const files = Object.fromEntries(
  Object.values(exportTypes).map((type) => [type.split(';')[0], { schema: { type: 'string', format: 'binary' } }]),
);

const images = Object.fromEntries(
  ['image/png', 'image/jpeg', 'image/webp'].map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
);

const descriptions: Readonly<Record<string, string>> = {
  stream: 'Server-sent events, or an envelope',
  image: 'The image, or an envelope when refused',
  export: 'The file, or an envelope when refused or when a job makes the file',
  file: 'The file, or an envelope when refused',
};

/** Files and streams are refused with an envelope, so every call lists JSON as well. */
const answerOf = (output: TSchema, kind: CallSpec['kind']): object => ({
  description: descriptions[kind] ?? 'Envelope',
  content: {
    ...(kind === 'stream' && events),
    ...((kind === 'export' || kind === 'file') && files),
    ...(kind === 'image' && images),
    'application/json': { schema: envelopeOf(output) },
  },
});

/** The fields of a file that is the body. With a JSON body they are in it. */
const fileParameters = (file: TSchema | undefined): QueryParameter[] =>
  file ? queryParameters(file).map((parameter) => ({ ...parameter, required: false })) : [];
const FILE_BODY = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

interface QueryParameter {
  name: string;
  in: 'query';
  required: boolean;
  schema: TSchema | undefined;
}

/** The parameters of a query string, by its schema. */
export function queryParameters(input: TSchema): QueryParameter[] {
  const properties: Record<string, TSchema> = input['properties'] ?? {};
  const required: string[] = input['required'] ?? [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const envelopeOf = (data: TSchema): object => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data, token: { type: 'string' } },
});
