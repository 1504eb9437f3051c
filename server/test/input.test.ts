// @module-tag full
import { parse as parseQuery } from 'node:querystring';
import { API_BASE, type CallSpec } from '@hengtai/contract/endpoint';
import type { Envelope, FieldError } from '@hengtai/contract/envelope';
import { endpoints } from '@hengtai/contract/index.schema';
import { labelOf } from '@hengtai/contract/labels';
import { Amount, type Endpoint, PositiveAmount } from '@hengtai/contract/schema';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeUser, makeWithdraw } from './factories.ts';
import { asRefusal } from '../src/http/errors.ts';
import { operatorBodyParser, queryParser } from '../src/http/input.ts';
import { PUBLIC_BODY_MAX } from '../src/http/receive-limits.ts';
import {
  INVALID_AMOUNT_TEXTS,
  UNKNOWN_FIELDS,
  invalidValuesFor,
  invalidQueryValuesFor,
  requiredFieldsOf,
  validInputFor,
} from './input-cases.ts';
import { type TestServer, login, testServer } from './server.ts';

let server: TestServer;
let token: string;
let before: Record<string, string>;

/** Tables that a refusal may write: audit rows, session use, login guesses, idempotency keys. */
const MAY_CHANGE = ['audit', 'audit_pending', 'session', 'session_token', 'login_guard', 'idempotency'];

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
  await makeWithdraw(server, token, await makeUser(server, { amount: '1000' }));
  before = await hashTables();
});
afterAll(async () => {
  await server.stop();
});

async function hashTables(): Promise<Record<string, string>> {
  const tables = await server.query(sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`);
  const sums: Record<string, string> = {};
  for (const { name } of tables.filter(({ name }) => !MAY_CHANGE.includes(name))) {
    const [row] = await server.query(sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '\n' order by t::text)), '') as sum from ${sql.table(name)} t`);
    sums[name] = row?.sum ?? '';
  }
  return sums;
}

interface TestResponse {
  status: number;
  envelope: Envelope<FieldError[] | null>;
  text: string;
}

async function sendRequest(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS',
  url: string,
  payload?: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<TestResponse> {
  const response = await server.server.inject({
    method,
    url,
    headers: { token, ...(payload === undefined ? {} : headers) },
    ...(payload === undefined ? {} : { payload }),
  });
  const envelope: TestResponse['envelope'] =
    response.body === '' ? { code: 500, msg: '', data: null } : response.json();
  return { status: response.statusCode, envelope, text: response.body };
}

const CHINESE = /[\u4e00-\u9fff]/;

/** Collects all problems of an answer and asserts once, because there are tens of thousands of answers. */
function expectRefused({ status, envelope }: TestResponse, field: string | undefined, description: string): void {
  const problems: string[] = [];
  if (status !== 200 || envelope.code !== 422) problems.push(`answered ${status} ${envelope.code}`);
  if (!CHINESE.test(envelope.msg)) problems.push(`says ${envelope.msg}`);
  if (field !== undefined) {
    // An error inside a field is reported by its path.
    const error = envelope.data?.find((one) => one.field === field || one.field.startsWith(`${field}/`));
    if (!error?.msg.includes(labelOf(field).slice(0, 64))) problems.push(`of ${field} says ${error?.msg}`);
    if (!envelope.data?.some(({ msg }) => msg === envelope.msg)) problems.push(`${envelope.msg} is of no field`);
  }
  expect(problems, description).toEqual([]);
}

function expectTransport({ status, envelope }: TestResponse, code: number): void {
  expect([status, envelope.code]).toEqual([code, code]);
  expect(envelope.msg).toMatch(CHINESE);
}

/**
 * Posts a body that must be refused: with 413 if it exceeds the limit of a public call, otherwise as malformed input.
 */
async function expectPostRefused(
  spec: CallSpec,
  body: string,
  field: string | undefined,
  description: string,
): Promise<void> {
  const response = await sendRequest('POST', urlOf(spec), body);
  if (spec.public && Buffer.byteLength(body) > PUBLIC_BODY_MAX) expectTransport(response, 413);
  else expectRefused(response, field, description);
}

const calls: [string, CallSpec, TSchema][] = Object.entries<Record<string, Endpoint>>(endpoints).flatMap(
  ([noun, calls]) =>
    Object.entries(calls).map(([name, { call, input }]): [string, CallSpec, TSchema] => [
      `${noun}.${name}`,
      call,
      input,
    ]),
);
const sent = new Set<string>();

/**
 * Whether a case goes through the server: the first of its kind, such as a value of a schema that several fields share, and
 * one of the cases of each field. Of the others the parser of the route is asked, which takes a hundredth of the time;
 * what it accepts goes through the server as well.
 */
function isSent(kind: string, index: number, turn: number): boolean {
  const isFirst = !sent.has(kind);
  sent.add(kind);
  return isFirst || index === turn;
}

/** The refusal of a parser; undefined if it accepts the input, which the server may still refuse. */
function refusalOf(parse: (input: unknown) => unknown, input: unknown): TestResponse | undefined {
  try {
    parse(input);
    return undefined;
  } catch (error) {
    const { refusal, message: msg, data } = asRefusal(error);
    return { status: 200, envelope: { code: refusal.code, msg, data: data as FieldError[] | null }, text: '' };
  }
}

/** Fields of an export that are not filters. */
const FORM_FIELDS = ['columns', 'zone', 'format'];
const postCalls = calls.filter(([, { method }]) => method === 'POST');
const getCalls = calls.filter(([, { method }]) => method === 'GET');
const urlOf = ({ path }: CallSpec): string => `${API_BASE}${path}`;
const fieldsOf = (input: TSchema): [string, TSchema][] => Object.entries(input['properties'] ?? {});

describe('bad fields of bodies', () => {
  test.each(postCalls)('%s', async (_name, spec, input) => {
    const valid = validInputFor(spec, input);
    const parse = operatorBodyParser(input, spec.kind === 'export' ? spec.list : undefined);
    const refuse = async (body: string, field: string | undefined, throughServer: boolean, description: string) => {
      const parsed = refusalOf(parse, JSON.parse(body));
      if (parsed) expectRefused(parsed, field, `${description}, parsed`);
      if (!parsed || throughServer) await expectPostRefused(spec, body, field, description);
    };
    for (const [at, [field, schema]] of fieldsOf(input).entries()) {
      const isFilter = spec.kind === 'export' && !FORM_FIELDS.includes(field);
      const values = invalidValuesFor(schema, isFilter);
      for (const [index, { name, value }] of values.entries()) {
        const body = JSON.stringify({ ...valid, ...requiredFieldsOf(schema), [field]: value });
        const kind = `${JSON.stringify(schema)} ${isFilter} ${name}`;
        await refuse(body, field, isSent(kind, index, at % values.length), `${field} ${name}`);
      }
    }
    for (const field of (input['required'] as string[] | undefined) ?? []) {
      const { [field]: _left, ...rest } = valid;
      await refuse(JSON.stringify(rest), field, isSent(`without ${field}`, 0, 0), `without ${field}`);
    }
    for (const [index, field] of UNKNOWN_FIELDS.entries()) {
      // Written as text, because an object literal cannot hold some of these names as own fields.
      const body = `{${[...Object.entries(valid).map(([key, value]) => `"${key}":${JSON.stringify(value)}`), `"${field}":1`].join(',')}}`;
      const turn = spec.path.length % UNKNOWN_FIELDS.length;
      await refuse(body, field === '' ? undefined : field, isSent(`unknown ${field}`, index, turn), `unknown ${field}`);
    }
  });
});

describe('bad fields of queries', () => {
  test.each(getCalls)('%s', async (_name, spec, input) => {
    const valid: [string, string][] = Object.entries(validInputFor(spec, input)).map(([name, value]) => [
      name,
      String(value),
    ]);
    const parse = queryParser(input, spec.kind === 'list');
    /** Sends pairs whose values are encoded already. */
    const refuse = async (pairs: [string, string][], field: string, throughServer: boolean, description: string) => {
      const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
      const parsed = refusalOf(parse, parseQuery(query));
      if (parsed) expectRefused(parsed, field, `${description}, parsed`);
      if (!parsed || throughServer)
        expectRefused(await sendRequest('GET', `${urlOf(spec)}?${query}`), field, description);
    };
    for (const [at, [field, schema]] of fieldsOf(input).entries()) {
      const rest = valid.filter(([name]) => name !== field);
      const values = invalidQueryValuesFor(field, schema, spec.kind === 'list');
      for (const [index, { name, value }] of values.entries()) {
        const kind = `${field} ${JSON.stringify(schema)} ${name}`;
        await refuse(
          [...rest, [field, String(value)]],
          field,
          isSent(kind, index, at % values.length),
          `${field} ${name}`,
        );
      }
      const forms: [string, [string, string][]][] = [
        [field, [...rest, [field, '1'], [field, '2']]],
        [`${field}[]`, [...valid, [`${field}[]`, '1']]],
        [`${field}[a]`, [...valid, [`${field}[a]`, '1']]],
      ];
      for (const [index, [refused, pairs]] of forms.entries())
        await refuse(
          pairs,
          refused,
          isSent(`form ${index}`, index, at % forms.length),
          `${refused} of ${pairs.join()}`,
        );
    }
    for (const field of (input['required'] as string[] | undefined) ?? []) {
      const rest = valid.filter(([name]) => name !== field);
      await refuse(rest, field, isSent(`without ${field}`, 0, 0), `without ${field}`);
      await refuse([...rest, [field, '']], field, isSent(`empty ${field}`, 0, 0), `empty ${field}`);
    }
    const unknown = UNKNOWN_FIELDS.filter((name) => name !== '').flatMap((field) =>
      ['1', '', '-1'].map((value) => ({ field, value })),
    );
    for (const [index, { field, value }] of unknown.entries()) {
      const turn = spec.path.length % unknown.length;
      const name = `unknown ${field}=${value}`;
      await refuse([...valid, [field, value]], field, isSent(name, index, turn), name);
    }
  });

  test('invalid UTF-8 is refused or read as text and never causes a server error', async () => {
    for (const [, spec, input] of getCalls.filter(([, { kind }]) => kind === 'list')) {
      for (const [field] of fieldsOf(input)) {
        for (const invalidUtf8 of ['%', '%zz', '%ff', '%ed%a0%80', '%c0%80', '%u0041']) {
          const { status, envelope } = await sendRequest('GET', `${urlOf(spec)}?${field}=${invalidUtf8}`);
          expect([field, invalidUtf8, status]).toEqual([field, invalidUtf8, 200]);
          expect([200, 422]).toContain(envelope.code);
        }
      }
    }
  });
});

const deepBodies = (depth: number): string[] => [
  `${'['.repeat(depth)}${']'.repeat(depth)}`,
  `${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}`,
];

describe('bodies that are not objects', () => {
  test.each(postCalls)('%s', async (_name, spec) => {
    for (const body of ['[]', '[{}]', '1', '"text"', 'true'])
      expectRefused(await sendRequest('POST', urlOf(spec), body), undefined, body);
    for (const body of [
      '{',
      '{"id":}',
      "{'id':1}",
      '{"id":1}}',
      '{"id":1,}',
      'undefined',
      'NaN',
      '\ufeff{}',
      '\u0000',
      '{"id":"\t"}',
    ]) {
      const response = await sendRequest('POST', urlOf(spec), body);
      expectRefused(response, undefined, body);
      expect(response.envelope.msg).toContain('JSON');
    }
    expectRefused(
      await sendRequest('POST', urlOf(spec), Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
      undefined,
      'not UTF-8',
    );
    for (const body of deepBodies(200_000)) await expectPostRefused(spec, body, undefined, 'deep');
  });

  test.each(postCalls.filter(([, , { required }]) => ((required as string[] | undefined) ?? []).length > 0))(
    '%s: an empty or absent body is refused for its missing fields',
    async (_name, spec, input) => {
      const field = String((input['required'] as string[])[0]);
      for (const body of ['', '{}', 'null'])
        expectRefused(await sendRequest('POST', urlOf(spec), body), field, `body ${body}`);
      expectRefused(await sendRequest('POST', urlOf(spec)), field, 'no body');
    },
  );
});

describe('the transport', () => {
  test.each(postCalls)('%s: refuses a body of twice its limit', async (_name, spec) => {
    expectTransport(
      await sendRequest('POST', urlOf(spec), JSON.stringify({ reason: 'x'.repeat(2 * (spec.bodyMax ?? 1024 * 1024)) })),
      413,
    );
  });

  test.each(postCalls)('%s: accepts only JSON', async (_name, spec) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'nonsense',
    ]) {
      expectTransport(await sendRequest('POST', urlOf(spec), '{"id":1}', { 'content-type': type }), 415);
    }
    const response = await sendRequest('POST', urlOf(spec), '{"surplus":1}', {
      'content-type': 'application/json; charset=utf-8',
    });
    expectRefused(response, 'surplus', 'with a charset');
  });

  test.each(calls)('%s: accepts only its own method', async (_name, spec) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      if (method !== spec.method) expectTransport(await sendRequest(method, urlOf(spec)), 404);
    }
    expect((await sendRequest('HEAD', urlOf(spec))).status).toBe(404);
  });

  test('unknown paths are answered with 404', async () => {
    const paths = [
      'nothing',
      '',
      'user',
      'user/list/',
      'user//list',
      'USER/LIST',
      'user/list/..',
      '../user/list',
      'user/list%00',
      'user%2flist',
      '%zz',
      '%',
    ];
    for (const path of paths) expectTransport(await sendRequest('GET', `${API_BASE}${path}`), 404);
    for (const path of ['/', '/api', '/api/v1', '/api/v2/admin/me', '/platform/v2/events'])
      expectTransport(await sendRequest('GET', path), 404);
    expectTransport(await sendRequest('POST', `${API_BASE}nothing`, '{}'), 404);
  });
});

test('both kinds of amount reject texts that are not amounts', () => {
  const accepts = (schema: TSchema, text: string): boolean => Value.Check(schema, text);
  for (const text of INVALID_AMOUNT_TEXTS)
    expect([text, accepts(Amount, text), accepts(PositiveAmount, text)]).toEqual([text, false, false]);
  for (const text of ['0.000000000000000001', '1', '10.50', '999999999999999999.999999999999999999']) {
    expect([text, accepts(Amount, text), accepts(PositiveAmount, text)]).toEqual([text, true, true]);
  }
  for (const text of ['0', '0.0', '0.000000000000000000']) {
    expect([text, accepts(Amount, text), accepts(PositiveAmount, text)]).toEqual([text, true, false]);
  }
});

test('an error answer reveals no internals', async () => {
  const { text } = await sendRequest('POST', `${API_BASE}withdraw/pass`, '{"id":"x"}');
  expect(text).not.toMatch(/sql|stack|node_modules|select |postgres/i);
});

test('no refused request changed a row', async () => {
  expect(await hashTables()).toEqual(before);
});
