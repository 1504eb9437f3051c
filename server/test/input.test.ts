// @module-tag full
import { parse as parseQuery } from 'node:querystring';
import { API_BASE, type CallSpec } from '@hengtai/contract/wire/endpoint';
import type { Envelope, FieldError } from '@hengtai/contract/wire/envelope';
import { endpoints } from '@hengtai/contract/index.schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { Amount, type Endpoint, PositiveAmount } from '@hengtai/contract/wire/schema';
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
  // No refused request changed a row.
  expect(await hashTables()).toEqual(before);
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

const titles = Object.values<Record<string, Endpoint>>(endpoints).flatMap((calls) =>
  Object.values(calls).flatMap(({ input }) =>
    Object.entries<TSchema>(input['properties'] ?? {}).flatMap(([field, { title }]) =>
      title === undefined ? [] : [{ field, title }],
    ),
  ),
);

/** What refusals may call a field: its label, or a title that a schema gives to it. */
const namesOf = (field: string): string[] => [
  labelOf(field),
  ...titles.filter((one) => one.field === field).map(({ title }) => title),
];

/** Collects all problems of an answer and asserts once, because there are tens of thousands of answers. */
function expectRefused({ status, envelope }: TestResponse, field: string | undefined, description: string): void {
  const problems: string[] = [];
  if (status !== 200 || envelope.code !== 422) problems.push(`answered ${status} ${envelope.code}`);
  if (!CHINESE.test(envelope.msg)) problems.push(`says ${envelope.msg}`);
  if (field !== undefined) {
    // An error inside a field is reported by its path.
    const error = envelope.data?.find((one) => one.field === field || one.field.startsWith(`${field}/`));
    if (!namesOf(field).some((name) => error?.msg.includes(name.slice(0, 64))))
      problems.push(`of ${field} says ${error?.msg}`);
    if (!envelope.data?.some(({ msg }) => msg === envelope.msg)) problems.push(`${envelope.msg} is of no field`);
  }
  expect(problems, description).toEqual([]);
}

function expectTransport({ status, envelope }: TestResponse, code: number): void {
  expect([status, envelope.code]).toEqual([code, code]);
  expect(envelope.msg).toMatch(CHINESE);
}

const BODY_MAX = 1024 * 1024;
const limitOf = ({ public: isPublic, bodyBytesMax }: CallSpec): number =>
  bodyBytesMax ?? (isPublic ? PUBLIC_BODY_MAX : BODY_MAX);

interface TestCall {
  name: string;
  spec: CallSpec;
  input: TSchema;
  /** Chooses the cases of the call that go through the server. */
  turn: number;
}

const seed = Number(process.env['TEST_SEED']);
const calls: TestCall[] = Object.entries<Record<string, Endpoint>>(endpoints)
  .flatMap(([noun, calls]) =>
    Object.entries(calls).map(([name, endpoint]) => ({ name: `${noun}.${name}`, ...endpoint })),
  )
  .map(({ name, call: spec, input }, index) => ({ name, spec, input, turn: seed + index }));

interface BadInput {
  /** Cases of one kind take the same way through parser and server. */
  kind: string;
  /** The field that the refusal must name. */
  field?: string | undefined;
  /** JSON of a body, or a query whose values are encoded. */
  text: string;
}

const sentKinds = new Set<string>();
const isFirst = (kind: string): boolean => !sentKinds.has(kind) && sentKinds.add(kind).size > 0;

/**
 * Tests every case against the parser of the route. Through the server go the first case of each kind, one case of each
 * call, and what the parser accepts.
 */
async function expectAllRefused({ spec, input, turn }: TestCall, cases: readonly BadInput[]): Promise<void> {
  const parseQueryOf = queryParser(input, spec.kind === 'list');
  const parseBody = operatorBodyParser(input, spec.kind === 'export' ? spec.list : undefined);
  const parse = (text: string) =>
    spec.method === 'GET' ? parseQueryOf(parseQuery(text)) : parseBody(JSON.parse(text));
  for (const [index, { kind, field, text }] of cases.entries()) {
    const parsed = refusalOf(parse, text);
    if (parsed) expectRefused(parsed, field, `${field} ${kind}, parsed`);
    if (parsed && !isFirst(`${spec.method} ${kind}`) && index !== turn % cases.length) continue;
    if (spec.method === 'POST') await expectPostRefused(spec, text, field, `${field} ${kind}`);
    else expectRefused(await sendRequest('GET', `${urlOf(spec)}?${text}`), field, `${field} ${kind}`);
  }
}

/** Posts a body that must be refused: with 413 if it exceeds the limit of the call, otherwise as malformed input. */
async function expectPostRefused(
  spec: CallSpec,
  body: string,
  field: string | undefined,
  description: string,
): Promise<void> {
  const response = await sendRequest('POST', urlOf(spec), body);
  if (Buffer.byteLength(body) > limitOf(spec)) expectTransport(response, 413);
  else expectRefused(response, field, description);
}

/** The refusal of a parser; undefined if it accepts the text, which the server may still refuse. */
function refusalOf(parse: (text: string) => unknown, text: string): TestResponse | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    const { refusal, message: msg, data } = asRefusal(error);
    return { status: 200, envelope: { code: refusal.code, msg, data: data as FieldError[] | null }, text: '' };
  }
}

/** Fields of an export that are not filters. */
const FORM_FIELDS = ['columns', 'zone', 'format'];
const postCalls = calls.filter(({ spec }) => spec.method === 'POST');
const getCalls = calls.filter(({ spec }) => spec.method === 'GET');
const urlOf = ({ path }: CallSpec): string => `${API_BASE}${path}`;
const fieldsOf = (input: TSchema): [string, TSchema][] => Object.entries(input['properties'] ?? {});
const requiredOf = (input: TSchema): string[] => input['required'] ?? [];
const typeOf = (schema: TSchema): string => String(schema['type'] ?? 'choice');

describe('bad bodies', () => {
  test.each(postCalls)('$name', async (tested) => {
    const { spec, input } = tested;
    const valid = validInputFor(spec, input);
    const [firstRequired] = requiredOf(input);
    const cases: BadInput[] = [
      ...['[]', '[{}]', '1', '"text"', 'true'].map((text) => ({ kind: text, text })),
      ...(firstRequired === undefined
        ? []
        : ['{}', 'null'].map((text) => ({ kind: text, field: firstRequired, text }))),
      ...fieldsOf(input).flatMap(([field, schema]) => {
        const isFilter = spec.kind === 'export' && !FORM_FIELDS.includes(field);
        return invalidValuesFor(schema, isFilter).map(({ name, value }) => ({
          kind: `${typeOf(schema)} ${isFilter} ${name}`,
          field,
          text: JSON.stringify({ ...valid, ...requiredFieldsOf(schema), [field]: value }),
        }));
      }),
      ...requiredOf(input).map((field) => {
        const { [field]: _left, ...rest } = valid;
        return { kind: 'missing', field, text: JSON.stringify(rest) };
      }),
      ...UNKNOWN_FIELDS.map((field) => {
        // Written as text, because an object literal cannot hold some of these names as own fields.
        const fields = Object.entries(valid).map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
        return {
          kind: `unknown ${field}`,
          field: field || undefined,
          text: `{${[...fields, `"${field}":1`].join(',')}}`,
        };
      }),
    ];
    await expectAllRefused(tested, cases);
  });
});

describe('bad queries', () => {
  test.each(getCalls)('$name', async (tested) => {
    const { spec, input } = tested;
    const isList = spec.kind === 'list';
    const valid = Object.entries(validInputFor(spec, input)).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    /** A case with pairs whose values are encoded already. */
    const caseOf = (kind: string, field: string, pairs: readonly [string, string][]): BadInput => ({
      kind,
      field,
      text: pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&'),
    });
    const without = (field: string) => valid.filter(([name]) => name !== field);
    const cases = [
      ...fieldsOf(input).flatMap(([field, schema]) => [
        ...invalidQueryValuesFor(field, schema, isList).map(({ name, value }) =>
          caseOf(`${typeOf(schema)} ${name}`, field, [...without(field), [field, String(value)]]),
        ),
        caseOf('twice', field, [...without(field), [field, '1'], [field, '2']]),
        caseOf('[]', `${field}[]`, [...valid, [`${field}[]`, '1']]),
        caseOf('[a]', `${field}[a]`, [...valid, [`${field}[a]`, '1']]),
      ]),
      ...requiredOf(input).flatMap((field) => [
        caseOf('missing', field, without(field)),
        caseOf('empty', field, [...without(field), [field, '']]),
      ]),
      ...UNKNOWN_FIELDS.filter((name) => name !== '').flatMap((field) =>
        ['1', '', '-1'].map((value) => caseOf(`unknown ${field}=${value}`, field, [...valid, [field, value]])),
      ),
    ];
    await expectAllRefused(tested, cases);
  });

  test.each(getCalls.filter(({ spec }) => spec.kind === 'list'))(
    '$name: invalid UTF-8 is refused or read as text and never causes a server error',
    async ({ spec, input, turn }) => {
      const sequences = ['%', '%zz', '%ff', '%ed%a0%80', '%c0%80', '%u0041'];
      for (const [at, [field, schema]] of fieldsOf(input).entries()) {
        for (const [index, sequence] of sequences.entries()) {
          if (!isFirst(`${JSON.stringify(schema)} ${sequence}`) && index !== (turn + at) % sequences.length) continue;
          const { status, envelope } = await sendRequest('GET', `${urlOf(spec)}?${field}=${sequence}`);
          expect([field, sequence, status]).toEqual([field, sequence, 200]);
          expect([200, 422]).toContain(envelope.code);
        }
      }
    },
  );
});

const DEEP_BODIES = [
  `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
];
const BROKEN_JSON = [
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
];
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const;

/** Sends what is not JSON, as text and by its type. One parser reads the bodies of all calls. */
async function expectOnlyJson(spec: CallSpec, broken: readonly string[], types: readonly string[]): Promise<void> {
  for (const body of broken) {
    const response = await sendRequest('POST', urlOf(spec), body);
    expectRefused(response, undefined, body);
    expect(response.envelope.msg).toContain('JSON');
  }
  for (const type of types) {
    const response = await sendRequest('POST', urlOf(spec), '{"id":1}', { 'content-type': type });
    // A file of any type is the raw body of a call that takes one; its fields are in the query string.
    if (spec.fileBytesMax !== undefined && type.includes('/')) expectRefused(response, 'list', type);
    else expectTransport(response, 415);
  }
}

describe('the transport', () => {
  test.each(postCalls)('$name: accepts only JSON', async ({ spec, turn }) => {
    const pick = <T>(from: readonly T[]): T[] => from.slice(turn % from.length).slice(0, 1);
    await expectOnlyJson(spec, pick(BROKEN_JSON), pick(OTHER_TYPES));
  });

  // The calls whose bodies have another limit than the rest, and one of the rest.
  const limits = new Map(postCalls.map(({ name, spec }) => [limitOf(spec), { name, spec }]));
  test.each([...limits.values()])('$name: every body that is not JSON or too long', async ({ spec }) => {
    await expectOnlyJson(spec, BROKEN_JSON, OTHER_TYPES);
    for (const body of DEEP_BODIES) await expectPostRefused(spec, body, undefined, 'deep');
    expectRefused(
      await sendRequest('POST', urlOf(spec), Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
      undefined,
      'not UTF-8',
    );
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expectRefused(await sendRequest('POST', urlOf(spec), '{"surplus":1}', json), 'surplus', 'with a charset');
    expectTransport(await sendRequest('POST', urlOf(spec), JSON.stringify({ reason: 'x'.repeat(limitOf(spec)) })), 413);
  });

  test.each(postCalls)('$name: refuses a body above its limit', async ({ spec }) => {
    const send = (length: number) =>
      sendRequest('POST', urlOf(spec), '{', { 'content-type': 'application/json', 'content-length': String(length) });
    expectTransport(await send(limitOf(spec) + 1), 413);
  });

  test.each(postCalls.filter(({ input }) => requiredOf(input).length > 0))(
    '$name: an empty or absent body is refused for its missing fields',
    async ({ spec, input, turn }) => {
      expectRefused(await sendRequest('POST', urlOf(spec), turn % 2 ? '' : undefined), requiredOf(input)[0], 'no body');
    },
  );

  test.each(calls)('$name: accepts only its own method', async ({ spec, turn }) => {
    const url = urlOf(spec);
    expect(METHODS.filter((method) => server.server.hasRoute({ method, url }))).toEqual([spec.method]);
    const others = METHODS.filter((method) => method !== spec.method && method !== 'HEAD');
    expectTransport(await sendRequest(others[turn % others.length] ?? 'PUT', url), 404);
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
    for (const method of METHODS.filter((method) => method !== 'HEAD'))
      expectTransport(await sendRequest(method, `${API_BASE}nothing`), 404);
    expect((await sendRequest('HEAD', `${API_BASE}user/list`)).status).toBe(404);
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
