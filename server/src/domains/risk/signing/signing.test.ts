import type { BulkResult } from '@hengtai/contract/wire/schema';
import type {
  SignatureDue,
  SigningMine,
  SigningRecord,
  SigningState,
  SigningTexts,
} from '@hengtai/contract/risk/signing/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verifyPayout } from '../../../../../clients/typescript/src/payout.ts';
import { acceptRoster, pinRoster } from '../../../../../clients/typescript/src/roster.ts';
import { readRoster, verify } from '../../../../../scripts/verify-payout.mjs';
import { makeMandate, makeOrder } from '../../../../../testing/payout-thief.ts';
import { type Signed, digestOf, makeRoster } from '../../../../../testing/signer.ts';
import { closeAllProposals } from './signing.store.ts';
import { findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchPayouts } from '../../../../test/inspect.ts';
import { callAs } from '../../../../test/four-eyes.ts';
import {
  type SignedHouse,
  type SigningPerson,
  adopt,
  callSigned,
  makeSignedHouse,
  payByMandate,
  signTexts,
} from '../../../../test/signing.ts';
import { type TestServer, apply, call, platformCall, testServer } from '../../../../test/server.ts';

let server: TestServer;
let house: SignedHouse;
let account: string;

async function start(): Promise<void> {
  server = await testServer();
  house = await makeSignedHouse(server);
  account = await makeUser(server, { amount: '100000' });
}
beforeAll(start);
afterAll(() => server.stop());

const request = (): Promise<WithdrawRow> => makeWithdraw(server, house.alice.token, account);

type Payout = Parameters<typeof verifyPayout>[0];

/** The data of every payout that was ordered for a withdrawal, as the wallet gets it. */
async function payoutsOf(id: number): Promise<Payout[]> {
  const rows = await fetchPayouts(server, id);
  return rows.map(({ data }) => data as Payout);
}

const verifyAt = (data: Payout | undefined, roster: string): string[] =>
  verifyPayout(data as Payout, { roster: pinRoster(roster), now: server.clock.now() }).persons;

/** Passes with both signatures. */
async function pay(row: WithdrawRow, action: 'pass' | 'retry' = 'pass'): Promise<void> {
  const submitted = await callSigned(server, house.alice, `withdraw/${action}`, { id: row.id });
  expect(submitted.code).toBe(202);
  expect(await callSigned(server, house.bob, 'approval/pass', { id: submitted.data.id })).toMatchObject({ code: 200 });
}

describe('a payout in signed mode', () => {
  test('is ordered with the signatures of maker and checker, which the wallet and the script verify', async () => {
    const row = await request();
    await pay(row);
    const [data] = await payoutsOf(row.id);
    expect(verifyAt(data, house.roster)).toEqual([house.alice.account, house.bob.account]);
    const { persons } = verify(data, readRoster(house.roster), { now: server.clock.now() });
    expect(persons.map(({ person }) => person)).toEqual([house.alice.account, house.bob.account]);
    expect(await findWithdraw(server, house.alice.token, row.no)).toMatchObject({ state: 2, attempt: 1 });
  });

  test('is refused with what to sign until maker and checker signed', async () => {
    const row = await request();
    const first = await callAs<SignatureDue>(server, house.alice, 'withdraw/pass', { id: row.id });
    expect(first).toMatchObject({ code: 428, data: { sign: { roster: 1, keys: [house.alice.signer.id] } } });
    const text = JSON.parse(first.data.sign.texts[0] ?? '');
    expect(text).toMatchObject({ no: row.no, attempt: 1, received: '99', fee: '1', address: row.address, state: 0 });
    // A signature for something else does not count.
    await signTexts(server, house.alice, ['{}']);
    expect(await callAs(server, house.alice, 'withdraw/pass', { id: row.id })).toMatchObject({ code: 428 });
    const submitted = await callSigned(server, house.alice, 'withdraw/pass', { id: row.id });
    const { id } = submitted.data;
    expect(await callAs(server, house.bob, 'approval/pass', { id })).toMatchObject({ code: 428 });
    // Carol may approve, but has no key in the roster.
    expect(await callAs(server, house.carol, 'approval/pass', { id })).toMatchObject({
      code: 428,
      data: { sign: { keys: [] } },
    });
    expect(await payoutsOf(row.id)).toEqual([]);
  });

  test('needs new signatures for another attempt', async () => {
    const row = await request();
    await pay(row);
    await apply(server, { type: 'withdraw.failed', data: { no: row.no, reason: 'no money' } });
    await pay(row, 'retry');
    const payouts = await payoutsOf(row.id);
    expect(payouts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    for (const data of payouts) expect(verifyAt(data, house.roster)).toHaveLength(2);
    expect(payouts[0]?.payout).not.toBe(payouts[1]?.payout);
  });

  test('is signed in batches by one touch', async () => {
    const rows = [await request(), await request(), await request()];
    const ids = rows.map(({ id }) => id);
    const texts = async (person: SigningPerson, input: object) =>
      (await call<SigningTexts>(server, 'POST', 'signing/texts', input, person)).data.texts;
    const own = await texts(house.alice, { ids, action: 'pass' });
    expect(own.map(({ id }) => id)).toEqual(ids);
    await signTexts(
      server,
      house.alice,
      own.map(({ text }) => text),
    );
    const { data } = await callAs<BulkResult>(server, house.alice, 'withdraw/pass/many', { ids });
    expect(data.results.map(({ code }) => code)).toEqual([202, 202, 202]);
    const { data: open } = await call<{ id: number }[]>(
      server,
      'POST',
      'approval/open',
      { targetType: 'withdraw', ids },
      house.bob,
    );
    const waiting = await texts(house.bob, { ids: open.map(({ id }) => id), action: 'approve' });
    await signTexts(
      server,
      house.bob,
      waiting.map(({ text }) => text),
    );
    for (const { id } of open) expect((await callAs(server, house.bob, 'approval/pass', { id })).code).toBe(200);
    for (const id of ids) {
      const [payout] = await payoutsOf(id);
      expect(verifyAt(payout, house.roster)).toHaveLength(2);
      // The texts of the other payouts do not travel along, only their digests.
      expect(JSON.stringify(payout)).not.toContain(rows.find((row) => row.id !== id)?.address);
    }
  });

  test('is not ordered when the record changed after it was signed', async () => {
    const row = await request();
    const submitted = await callSigned(server, house.alice, 'withdraw/pass', { id: row.id });
    await server.query(sql`update withdraw set address = 'thief' where id = ${row.id}`);
    const passed = await callSigned(server, house.bob, 'approval/pass', { id: submitted.data.id });
    expect(passed).toMatchObject({ code: 409, msg: expect.stringContaining('缺少有效的签名') });
    expect(await payoutsOf(row.id)).toEqual([]);
  });

  test('keeps its texts and signatures on the record, as the script reads them', async () => {
    const row = await request();
    await pay(row);
    const { data } = await call<SigningRecord>(server, 'GET', 'signing/record', { id: row.id }, house.alice);
    expect(data.rosters).toEqual([{ version: 1, text: house.roster }]);
    expect(data.payouts).toMatchObject([{ attempt: 1, ordered: true, signers: [{ person: 'admin' }, {}] }]);
    const read = readRoster(data.rosters[0]?.text ?? '');
    expect(verify(data.payouts[0]?.command, read, { now: server.clock.now() }).persons).toHaveLength(2);
    expect([data.payouts[0]?.command]).toEqual(await payoutsOf(row.id));
  });
});

describe('a signature is refused', () => {
  const addAs = (person: SigningPerson, signature: Signed) =>
    call(server, 'POST', 'signing/add', { signature }, { token: person.token });
  const refusals: [string, (at: number) => Signed][] = [
    ['签名人不是您本人', (at) => house.bob.signer.sign(['x'], { at, roster: house.roster })],
    ['签名密钥不在名册中', (at) => house.carol.signer.sign(['x'], { at, roster: house.roster })],
    [
      '签名密钥不属于该签名人',
      (at) => house.bob.signer.sign(['x'], { at, roster: house.roster }, { person: house.alice.account }),
    ],
    ['签名所用的名册不是当前名册', (at) => house.alice.signer.sign(['x'], { at, roster: 2 })],
    ['签名所用的名册不是当前名册', (at) => house.alice.signer.sign(['x'], { at })],
    ['签名时间', (at) => house.alice.signer.sign(['x'], { at: at - 3_600_000, roster: house.roster })],
    [
      '签名页的地址',
      (at) => house.alice.signer.sign(['x'], { at, roster: house.roster }, { origin: 'https://evil.example.com' }),
    ],
    [
      '不属于该签名页',
      (at) => house.alice.signer.sign(['x'], { at, roster: house.roster }, { relyingParty: 'evil.example.com' }),
    ],
    ['嵌入', (at) => house.alice.signer.sign(['x'], { at, roster: house.roster }, { crossOrigin: true })],
    ['没有核验', (at) => house.alice.signer.sign(['x'], { at, roster: house.roster }, { flags: 1 })],
    ['与所示内容不符', (at) => house.alice.signer.sign(['x'], { at, roster: house.roster }, { challenge: 'AAAA' })],
    ['不是签名', (at) => house.alice.signer.sign(['x'], { at, roster: house.roster }, { type: 'webauthn.create' })],
    [
      '签名不正确',
      (at) => ({ ...house.alice.signer.sign(['x'], { at, roster: house.roster }), signature: 'MAYCAQECAQE' }),
    ],
  ];
  test.each(refusals)('%s', async (problem, sign) => {
    const answer = await addAs(house.alice, sign(server.clock.now()));
    expect(answer).toMatchObject({ code: 422, msg: expect.stringContaining(problem) });
  });
});

describe('rosters and mandates', () => {
  test('state is for operators of the whole house', async () => {
    const branch = await makeOperator(server, house.alice.token, { abilities: [11] });
    expect((await call(server, 'GET', 'signing/state', {}, branch)).code).toBe(403);
    expect((await callAs(server, branch, 'signing/close', { id: 1 })).code).toBe(403);
    const mine = await call<SigningMine>(server, 'GET', 'signing/mine', {}, branch);
    expect(mine.data).toMatchObject({ required: true, roster: 1, relyingParty: 'sign.example.com', keys: [] });
    const { data } = await call<SigningState>(server, 'GET', 'signing/state', {}, house.alice);
    expect(data).toMatchObject({
      required: true,
      roster: { version: 1, threshold: 2, digest: digestOf(house.roster) },
    });
    expect(data.keys.map(({ inRoster }) => inRoster)).toEqual([true, true, false]);
  });

  test.each([
    [
      'another version',
      () => makeRoster([house.alice.signer, house.bob.signer], { version: 3, previous: digestOf(house.roster) }),
    ],
    [
      'another predecessor',
      () => makeRoster([house.alice.signer, house.bob.signer], { version: 2, previous: digestOf('x') }),
    ],
    [
      'a key that nobody enrolled',
      () => {
        const { signer } = house.bob;
        const keys = [house.alice.signer, { ...signer, person: house.carol.account }];
        return makeRoster(keys, { version: 2, previous: digestOf(house.roster) });
      },
    ],
    ['one person', () => makeRoster([house.alice.signer], { version: 2, previous: digestOf(house.roster) })],
    ['no canonical text', () => ` ${house.roster}`],
  ])('a draft of %s is refused', async (_what, draft) => {
    const { code } = await callAs(server, house.alice, 'signing/propose', { text: draft() });
    expect([409, 422]).toContain(code);
  });

  test('a mandate is in force with two signatures, can be revoked, and ends with the roster or a reset', async () => {
    // The next roster would end what the other tests sign under this one.
    const first = { server, house, account };
    await start();
    onTestFinished(async () => {
      await server.stop();
      ({ server, house, account } = first);
    });
    const mandate = makeMandate(house.roster, server.clock.now());
    const adopted = await adopt(server, mandate, [house.alice, house.bob]);
    expect(adopted).toMatchObject({ kind: 'mandate', state: 1, needed: 2 });
    const order = { ...makeOrder(1), market: 'USDT', amount: '100' };
    const data = await payByMandate(server, adopted?.id ?? 0, order);
    const held = { roster: pinRoster(house.roster), now: server.clock.now() };
    expect(verifyPayout(data, held).budget).toMatchObject({ market: 'USDT', amount: '100', perDay: '1000' });
    expect(() => verifyPayout({ ...data, amount: '101' }, held)).toThrow('larger than the mandate');
    const again = makeMandate(house.roster, server.clock.now(), { id: 'M-2' });
    const second = await adopt(server, again, [house.bob, house.alice]);
    expect(await callAs(server, house.bob, 'signing/close', { id: second?.id })).toMatchObject({ data: { state: 2 } });
    expect(await callAs(server, house.bob, 'signing/close', { id: second?.id })).toMatchObject({ code: 409 });
    const elsewhere = makeMandate(house.roster, server.clock.now(), { id: 'M-3', platform: 99 });
    expect(await callAs(server, house.bob, 'signing/propose', { text: elsewhere })).toMatchObject({
      code: 422,
      data: [{ field: 'text', msg: expect.stringContaining('99') }],
    });

    const keys = [house.alice.signer, house.bob.signer, house.carol.signer];
    const next = makeRoster(keys, { version: 2, previous: digestOf(house.roster) });
    // One signature is not enough, nor is one of a person outside the roster.
    expect(await adopt(server, next, [house.alice])).toBeUndefined();
    expect(await signTexts(server, house.carol, [next])).toMatchObject({ code: 422 });
    expect(await signTexts(server, house.bob, [next])).toMatchObject({ data: { adopted: [{ state: 1 }] } });

    const { data: state } = await call<SigningState>(server, 'GET', 'signing/state', {}, house.alice);
    expect(state.roster).toMatchObject({ version: 2 });
    expect(state.platforms).toEqual([{ id: 1, name: expect.any(String) }]);
    expect(state.proposals.map((one) => one.state)).toEqual([2, 2]);

    // The wallet follows from the roster that it pinned, and accepts payouts of the new one.
    const { data: rosters } = await platformCall<{ version: number; text: string; signatures: Signed[] }[]>(
      server,
      'GET',
      'rosters?after=1',
    );
    const followed = rosters.reduce(
      (one, { text, signatures }) => acceptRoster(one, text, signatures),
      pinRoster(house.roster),
    );
    expect(followed.version).toBe(2);
    const row = await request();
    await pay(row);
    expect(verifyAt((await payoutsOf(row.id))[0], next)).toHaveLength(2);

    // After a reset nothing is in force, and no payout is ordered.
    expect(await closeAllProposals(server.owner, server.clock.now())).toBeGreaterThan(0);
    const answer = await call<SigningState>(server, 'GET', 'signing/state', {}, house.alice);
    expect(answer).toMatchObject({ code: 200 });
    expect([answer.data.roster, new Set(answer.data.proposals.map((one) => one.state))]).toEqual([null, new Set([2])]);
    expect(await callAs(server, house.alice, 'withdraw/pass', { id: (await request()).id })).toMatchObject({
      code: 409,
      msg: expect.stringContaining('没有生效的签名名册'),
    });
  });
});
