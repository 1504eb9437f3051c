// @module-tag full
import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { endpoints } from '@hengtai/contract/index.schema';
import { INT_MAX } from '@hengtai/contract/wire/list';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import type { TSchema } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validInputFor } from './input-cases.ts';
import { type TestServer, login, testServer } from './server.ts';

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
});
afterAll(() => server.stop());

/** Calls that end the session of this test or do not return until the client disconnects. */
const SKIPPED_CALLS = ['session.logout', 'session.password', 'session.login', 'notify.stream', 'service.stream'];

interface Field {
  name: string;
  call: CallSpec;
  input: TSchema;
  field: string;
  schema: TSchema;
}

const fields: Field[] = Object.entries<Record<string, Endpoint>>(endpoints).flatMap(([noun, calls]) =>
  Object.entries(calls).flatMap(([callName, { call, input }]) => {
    const properties: Record<string, TSchema> = input['properties'] ?? {};
    const name = `${noun}.${callName}`;
    return Object.entries(properties)
      .filter(([, schema]) => schema['type'] === 'integer' && !SKIPPED_CALLS.includes(name) && call.kind !== 'stream')
      .map(([field, schema]) => ({ name: `${name} ${field}`, call, input, field, schema }));
  }),
);

async function sendValue({ call, input, field }: Field, value: number): Promise<Envelope> {
  const values = { ...validInputFor(call, input), [field]: value };
  const texts = Object.entries(values).map(([key, one]): [string, string] => [key, String(one)]);
  const response = await server.server.inject({
    method: call.method,
    url: `${API_BASE}${call.path}${call.method === 'GET' ? `?${new URLSearchParams(texts).toString()}` : ''}`,
    headers: { token },
    ...(call.method === 'POST' ? { payload: values } : {}),
  });
  const isEnvelope = String(response.headers['content-type']).startsWith('application/json');
  return isEnvelope ? response.json<Envelope>() : { code: 200, msg: 'a file', data: null };
}

test('finds integer fields in many calls', () => {
  expect(fields.length).toBeGreaterThan(300);
});

describe('the schema maximum fits the column, and the next value is refused', () => {
  test.each(fields.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const maximum = Number(one.schema['maximum']);
    expect((await sendValue(one, maximum)).code).toBeLessThan(500);
    if (Number.isSafeInteger(maximum + 1)) expect(await sendValue(one, maximum + 1)).toMatchObject({ code: 422 });
  });
});

describe('a filter on a 32-bit column accepts 32-bit values only', () => {
  const int32Fields = fields.filter(({ field, call }) => ['depth', 'seconds'].includes(field) && call.list);
  test.each(int32Fields.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    expect((await sendValue(one, INT_MAX)).code).toBe(200);
    for (const value of [INT_MAX + 1, Number.MAX_SAFE_INTEGER])
      expect(await sendValue(one, value)).toMatchObject({ code: 422, data: [{ field: one.field }] });
  });

  test('covers lists and their exports', () => {
    expect(int32Fields.map(({ name }) => name).sort()).toEqual([
      'agent.excel depth',
      'agent.list depth',
      'second.configList seconds',
      'second.configListExcel seconds',
      'second.excel seconds',
      'second.list seconds',
    ]);
  });
});
