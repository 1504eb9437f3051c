import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import { endpoints } from '@hengtai/contract/index.schema';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodySchema } from './openapi.ts';
import { provideServer } from '../../test/server.ts';

interface Operation {
  operationId: string;
  summary: string;
  security?: object[];
  parameters: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { content: Record<string, { schema: unknown }> }>;
  'x-flags': Record<string, unknown>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
}

const server = provideServer({ jobs: false });
let document: Document;

beforeAll(async () => {
  const response = await server.server.inject({ method: 'GET', url: '/api/v1/openapi.json' });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain('application/json');
  document = response.json();
});

const calls: [string, CallSpec, Endpoint][] = Object.entries(nouns).flatMap(([noun, specs]) =>
  Object.entries<CallSpec>(specs).map(([name, spec]): [string, CallSpec, Endpoint] => {
    const ends: Record<string, Record<string, Endpoint>> = endpoints;
    const end = ends[noun]?.[name];
    if (!end) throw new Error(`${noun}.${name} has no schemas`);
    return [`${noun}.${name}`, spec, end];
  }),
);
const routes = calls.map(([, { method, path }]) => `${method} ${API_BASE}${path}`).sort();

test('gives each call its own path', () => {
  expect(new Set(calls.map(([, { path }]) => path)).size).toBe(calls.length);
});

test('lists exactly the calls of the contract', () => {
  const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(routes);
});

test('the server routes exactly the calls of the contract below its base path', () => {
  const tree = server.server.printRoutes({ commonPrefix: false });
  expect(
    routesOf(tree)
      .filter((route) => route.includes(API_BASE))
      .sort(),
  ).toEqual(routes);
});

describe('describes each call as in the contract', () => {
  test.each(calls)('%s', (name, spec, end) => {
    const operation = document.paths[`${API_BASE}${spec.path}`]?.[spec.method.toLowerCase()];
    if (!operation) throw new Error('not listed');
    expect(operation).toMatchObject({ operationId: name, summary: spec.summary });
    expect(operation.security === undefined).toBe(spec.public === true);
    const { ability, also, target, reason, fresh, approvable, reveals } = spec;
    expect(operation['x-flags']).toEqual(plain({ ability, also, target, reason, fresh, approvable, reveals }));
    const answer = operation.responses['200']?.content['application/json']?.schema;
    expect(answer).toMatchObject({ required: ['code', 'msg', 'data'], properties: { data: plain(end.output) } });
    if (spec.method === 'GET') {
      const fields: Record<string, unknown> = end.input['properties'] ?? {};
      const required: string[] = end.input['required'] ?? [];
      const expected = Object.entries(fields).map(([field, schema]) => ({
        name: field,
        in: 'query',
        required: required.includes(field),
        schema: plain(schema),
      }));
      expect(operation.parameters).toEqual(expected);
    } else {
      expect(operation.requestBody?.content['application/json']?.schema).toEqual(plain(bodySchema(end.input)));
    }
    expectJsonSchema(answer, `${name} answer`);
    expectJsonSchema(plain(bodySchema(end.input)), `${name} input`);
  });
});

test('lists the alternative forms of ids and amounts in bodies', () => {
  const fields = (path: string): unknown => {
    const schema = document.paths[`${API_BASE}${path}`]?.['post']?.requestBody?.content['application/json']?.schema;
    return (schema as { properties?: unknown } | undefined)?.properties;
  };
  expect(fields('asset/active/add')).toMatchObject({
    userId: { anyOf: [{ type: 'integer', format: 'id' }, { type: 'string' }] },
    amount: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    platform: { anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }, { const: 4 }] },
  });
  expect(fields('agent/root')).toMatchObject({
    agentId: { items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
  });
});

test('forbids additional properties in every input', () => {
  const open = calls.filter(([, , { input }]) => input['additionalProperties'] !== false);
  expect(open.map(([name]) => name)).toEqual([]);
});

/** A schema as JSON, without the symbols of the schema library. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'];

/** Walks a schema and fails on anything that is not JSON Schema. */
function expectJsonSchema(schema: unknown, where: string): void {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) throw new Error(`${where} is no schema`);
  const node = schema as Record<string, unknown>;
  if (node['type'] !== undefined) expect(TYPES, where).toContain(node['type']);
  if (typeof node['pattern'] === 'string') expect(() => new RegExp(String(node['pattern']), 'u'), where).not.toThrow();
  if (node['type'] === 'object' && node['properties'] !== undefined) {
    const properties = node['properties'] as Record<string, unknown>;
    for (const field of (node['required'] as string[] | undefined) ?? [])
      expect(Object.keys(properties)).toContain(field);
    for (const [field, property] of Object.entries(properties)) expectJsonSchema(property, `${where}.${field}`);
  }
  if (node['type'] === 'array') expectJsonSchema(node['items'], `${where}[]`);
  const parts = node['anyOf'] as unknown[] | undefined;
  parts?.forEach((part, index) => expectJsonSchema(part, `${where}|${index}`));
}

/** `METHOD path` of every route in Fastify's printed route tree. */
function routesOf(tree: string): string[] {
  const stack: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line);
    if (!found) return [];
    const depth = (found[1] ?? '').length / 4;
    stack.length = depth;
    stack[depth] = found[2] ?? '';
    return (found[3] ?? '')
      .split(', ')
      .filter(Boolean)
      .map((method) => `${method} ${stack.join('')}`);
  });
}
