// @module-tag full
import type { AlarmRow } from '@hengtai/contract/house/alarm/schema';
import type { Page } from '@hengtai/contract/wire/list';
import type { Assertion, FactorOffer, PasskeyRequest } from '@hengtai/contract/house/passkey/schema';
import type { LoginData } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../../../test/factories.ts';
import { type PasskeyOperator, begin, keyed, makePasskeyOperator } from '../../../../test/passkeys.ts';
import { type ApiResponse, type TestServer, call, login, testServer } from '../../../../test/server.ts';

// Each way to use a passkey, against a copied one, a repeated answer and the key of another operator.

let server: TestServer;
let admin: string;
let owner: PasskeyOperator;
let other: PasskeyOperator;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  await server.query(sql`update config set state = 1 where key = 'passkey.alone'`);
});
afterAll(() => server.stop());
beforeEach(async () => {
  // Guesses of the previous test must not count.
  server.clock.move(3_600_000);
  admin = await login(server);
  owner = await makePasskeyOperator(server, admin);
  other = await makePasskeyOperator(server, admin);
});

interface Way {
  ask: (operator: PasskeyOperator) => Promise<PasskeyRequest>;
  answer: (operator: PasskeyOperator, passkey: Assertion) => Promise<ApiResponse<LoginData>>;
}
const passwordOf = ({ account }: PasskeyOperator) => ({ account, password: PASSWORD });
const ways: Record<string, Way> = {
  'a login with password': {
    ask: async (operator) => {
      const { data } = await call<FactorOffer>(server, 'POST', 'login', passwordOf(operator));
      if (!data.passkey) throw new Error('no passkey was asked for');
      return data.passkey;
    },
    answer: (operator, passkey) => call(server, 'POST', 'login', { ...passwordOf(operator), passkey }),
  },
  'a login by passkey alone': {
    ask: async () => (await call<PasskeyRequest>(server, 'POST', 'login/passkey/begin')).data,
    answer: (_operator, passkey) => call(server, 'POST', 'login/passkey', { passkey }),
  },
  'a confirmation': {
    ask: async ({ token }) => (await begin(server, token, keyed('channel/del', { id: 1 }))).data,
    answer: ({ token }, passkey) => call(server, 'POST', 'passkey/fresh', { passkey }, { token }),
  },
};

/** What a passkey opens: sessions and confirmations. */
const countOpened = async (): Promise<number> =>
  (
    await server.query(sql<{ n: number }>`
      select (select count(*) from session) + (select count(*) from passkey_proof) as n`)
  )[0]?.n ?? 0;
const countAlarms = async (): Promise<number> =>
  (await call<Page<AlarmRow>>(server, 'GET', 'alarm/list', { kind: 'passkey.cloned' }, { token: admin })).data.total;
const codesOf = (answers: readonly ApiResponse[]): number[] =>
  answers.map(({ code }) => code).toSorted((a, b) => a - b);

describe.each(Object.entries(ways))('%s', (name, { ask, answer }) => {
  test('accepts an answer once, also of two copies at once', async () => {
    const passkey = owner.authenticator.get(await ask(owner));
    const before = await countOpened();
    expect(codesOf(await Promise.all([answer(owner, passkey), answer(owner, passkey)]))).toEqual([200, 401]);
    expect(await answer(owner, passkey)).toMatchObject({ code: 401 });
    expect(await countOpened()).toBe(before + 1);
  });

  test('refuses the count of a copied authenticator, and raises an alarm each time', async () => {
    const alarms = await countAlarms();
    const answers = [];
    // The copy goes ahead; then the original with the same count, with an earlier one, and with none.
    for (const counter of [500, 500, 499, 0]) {
      answers.push(await answer(owner, owner.authenticator.get(await ask(owner), { counter })));
    }
    expect(answers.map(({ code }) => code)).toEqual([200, 401, 401, 401]);
    expect(await countAlarms()).toBe(alarms + 3);
    expect(await answer(owner, owner.authenticator.get(await ask(owner), { counter: 501 }))).toMatchObject({
      code: 200,
    });
  });

  test('accepts one of two answers with the same count at once', async () => {
    const requests = [await ask(owner), await ask(owner)];
    const before = await countOpened();
    const passkeys = requests.map((request) => owner.authenticator.get(request, { counter: 700 }));
    const answers = await Promise.all(passkeys.map((passkey) => answer(owner, passkey)));
    expect(codesOf(answers)).toEqual([200, 401]);
    expect(await countOpened()).toBe(before + 1);
  });

  test('refuses the key of another operator', async () => {
    const before = await countOpened();
    const sign = async (): Promise<[Assertion, Assertion]> => {
      const request = await ask(owner);
      return [owner.authenticator.get(request), other.authenticator.get(request)];
    };
    const [own, foreign] = await sign();
    // Under the name of the owner's key, with the owner's name on the foreign key, and the other way round.
    const userHandle = own.userHandle ?? '';
    expect(await answer(owner, { ...foreign, id: own.id, userHandle })).toMatchObject({ code: 401 });
    expect(await answer(owner, { ...(await sign())[1], userHandle })).toMatchObject({ code: 401 });
    expect(await answer(owner, { ...(await sign())[0], userHandle: foreign.userHandle ?? '' })).toMatchObject({
      code: 401,
    });
    expect(await answer(owner, { ...(await sign())[0], id: foreign.id })).toMatchObject({ code: 401 });
    expect(await countOpened()).toBe(before);
    const entered = await answer(owner, (await sign())[1]);
    // Alone, a key opens the session of its own operator, also with a challenge that another one asked for.
    if (name === 'a login by passkey alone') expect(entered).toMatchObject({ data: { admin: other.account } });
    else expect(entered).toMatchObject({ code: 401 });
  });

  test('refuses answers to the challenges of the other ways', async () => {
    for (const way of Object.values(ways).filter((one) => one.ask !== ask))
      expect(await answer(owner, owner.authenticator.get(await way.ask(owner)))).toMatchObject({ code: 401 });
  });
});
