import { API_BASE } from '@hengtai/contract/endpoint';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Endpoint } from '@hengtai/contract/schema';
import type { TSchema } from '@sinclair/typebox';

/** The OpenAPI 3.1 document of every call, printed from the contract: its schemas are JSON Schema already. */
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

function operation(id: string, { call, input, output }: Endpoint): object {
  const isRead = call.method === 'GET';
  const { ability, target, reason, fresh, approvable, reveals } = call;
  const flags = { ability, target, reason, fresh, approvable, reveals };
  return {
    operationId: id,
    summary: call.summary,
    tags: [id.split('.')[0]],
    ...(call.public ? {} : { security: [{ token: [] }] }),
    ...(isRead
      ? { parameters: queryParameters(input) }
      : {
          parameters: [
            { name: 'idempotency-key', in: 'header', required: false, schema: { type: 'string', maxLength: 128 } },
          ],
          requestBody: { required: true, content: { 'application/json': { schema: input } } },
        }),
    responses: { '200': answerOf(output, call.kind === 'stream') },
    'x-flags': flags,
  };
}

const events = { 'text/event-stream': { schema: { type: 'string' } } };

/** A stream that was not begun is refused with an envelope as well. */
const answerOf = (output: TSchema, stream: boolean): object => ({
  description: stream ? 'Server-sent events, or an envelope' : 'Envelope',
  content: { ...(stream ? events : {}), 'application/json': { schema: envelopeOf(output) } },
});

function queryParameters(input: TSchema): object[] {
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
