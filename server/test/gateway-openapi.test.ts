import { EVENT_TYPES, type EventType } from '@hengtai/contract/gateway/gateway';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeSchema } from '../src/gateway/validate.ts';
import { findWithdraw, makeUser } from './factories.ts';
import { sampleOf } from './gateway-samples.ts';
import { type OpenApiDocument, toPostmanCollection } from './postman.ts';
import { type TestServer, call, login, platformCall, send, testServer, unique } from './server.ts';

let server: TestServer;
let document: OpenApiDocument & { components: { schemas: Record<string, object> } };
/** What the document says against an event; empty if it accepts it. */
let checkEvent: (event: unknown) => string;

beforeAll(async () => {
  server = await testServer();
  // Without a signature.
  const response = await server.server.inject({ method: 'GET', url: '/platform/v1/openapi.json' });
  expect(response.statusCode).toBe(200);
  document = response.json();
  checkEvent = compile(document.components.schemas['Event'] ?? {});
});
afterAll(() => server.stop());

/** Compiles a schema of the document, with its references. */
function compile(schema: object): (value: unknown) => string {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const validate = ajv.compile({ ...schema, components: document.components });
  return (value) => (validate(value) ? '' : ajv.errorsText(validate.errors));
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Whether an answer finds fault with the form of a field. A contradiction to the record has a detail in other words. */
function isFormFault(type: EventType, answer: EventAnswer | undefined): boolean {
  const { detail = '', reason = '' } = answer ?? {};
  const properties = (eventData[type] as TSchema)['properties'] as Record<string, TSchema>;
  const schema = properties[reason.slice('invalid: '.length)];
  const expected = schema && `: ${describeSchema(schema)} expected`;
  const isForm = [/: unknown field$/, /: required: /, /: at most 18 decimals, \d+ given$/].some((form) =>
    form.test(detail),
  );
  return isForm || detail.endsWith(expected ?? '\n');
}

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1 and describes every call', async () => {
    expect(await new Validator().validate(json(document))).toMatchObject({ valid: true });
    const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(calls).toEqual(
      expect.arrayContaining(['post /events', 'get /commands', 'post /commands/ack', 'get /balances', 'post /live']),
    );
  });

  test('says of every field of an event what it is or how long it may be', () => {
    const isDescribed = (schema: TSchema): boolean =>
      ['description', 'const', 'anyOf', 'maxLength'].some((keyword) => schema[keyword] !== undefined);
    const unclear = EVENT_TYPES.flatMap((type) =>
      Object.entries((eventData[type] as TSchema)['properties'] as Record<string, TSchema>)
        .filter(([, schema]) => !isDescribed(schema))
        .map(([field]) => `${type} ${field}`),
    );
    expect(unclear.filter((field) => field !== 'position.placed leverage')).toEqual([]);
  });

  test.each(EVENT_TYPES)('accepts a %s event as the server does, and no unknown field', async (type) => {
    const event = {
      eventId: unique('sample-'),
      type,
      at: 1_700_000_000_000,
      data: sampleOf(eventData[type]) as object,
    };
    expect(checkEvent(event)).toBe('');
    const [answer] = await send(server, event);
    expect(isFormFault(type, answer)).toBe(false);
    const data = { ...event.data, extra: 1 };
    expect(checkEvent({ ...event, data })).not.toBe('');
    const [refused] = await send(server, { ...event, eventId: unique('sample-'), data });
    expect(refused).toMatchObject({
      result: 'rejected',
      reason: 'invalid: extra',
      detail: '/0/data/extra: unknown field',
    });
    expect(isFormFault(type, refused)).toBe(true);
  });

  test('describes the answers of the calls that read, and the commands', async () => {
    const user = await makeUser(server, { amount: '100' });
    const admin = await login(server);
    const withdrawal = {
      no: unique('W'),
      account: user,
      market: 'USDT',
      network: 'TRC20',
      address: 'T',
      amount: '10',
      fee: '1',
    };
    await send(server, { type: 'withdraw.requested', data: withdrawal });
    const { id } = await findWithdraw(server, admin, withdrawal.no);
    await call(server, 'POST', 'withdraw/pass', { id }, { token: admin });
    const reads = [
      'markets',
      'seconds',
      'signals',
      'announcements',
      'liabilities',
      `balances?account=${user}`,
      `users?account=${user}`,
      'balances/snapshot',
      'commands?lease=1',
      'commands/replay?from=0',
    ];
    for (const read of reads) {
      const answer = await platformCall(server, 'GET', read);
      const operation = document.paths[`/${read.split('?')[0]}`]?.['get'] as unknown as {
        responses: Record<string, { content: { 'application/json': { schema: object } } }>;
      };
      const { requestId: _id, status, ...envelope } = answer;
      const schema = operation.responses[String(status)]?.content['application/json'].schema ?? {};
      expect([read, status, compile(schema)(envelope)]).toEqual([read, 200, '']);
    }
    const commands = (await platformCall<unknown[]>(server, 'GET', 'commands/replay?from=0')).data;
    expect(commands.length).toBeGreaterThan(0);
  });

  // `npx vitest run server/test/gateway-openapi.test.ts -u` writes both files.
  test('is the file in docs, and so is the collection for Postman', async () => {
    await expect(json(document)).toMatchFileSnapshot('../../docs/openapi.json');
    await expect(json(toPostmanCollection(document))).toMatchFileSnapshot('../../docs/postman_collection.json');
  });
});
