import type { SignatureDue, SigningTexts } from '@hengtai/contract/risk/signing/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyPayout } from '../../../../../clients/typescript/src/payout.ts';
import {
  type HeldRoster,
  acceptRoster,
  pinRoster,
  restoreRoster,
} from '../../../../../clients/typescript/src/roster.ts';
import { readRoster, verify } from '../../../../../scripts/verify-payout.mjs';
import { makeMandate, makeOrder, signMandate } from '../../../../../testing/payout-thief.ts';
import { type Signed, digestOf, makeRoster, makeSigner } from '../../../../../testing/signer.ts';
import { confusables, ignorables } from '../../../../../testing/confusables.ts';
import { makeRandom } from '../../../../../testing/random.ts';
import { callAs, callWithChecker } from '../../../../test/four-eyes.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchPayouts } from '../../../../test/inspect.ts';
import { type TestServer, call, platformCall, testServer } from '../../../../test/server.ts';
import { type SignedHouse, adopt, callSigned, makeSignedHouse } from '../../../../test/signing.ts';
import { inTransaction } from '../../../database/connect.ts';
import { fetchUsableMandates } from './signing.steps.ts';
import { closeAllProposals, findRoster } from './signing.store.ts';
import { readRoster as readStored } from './consent.rules.ts';

let server: TestServer;
let house: SignedHouse;
let account: string;
type Payout = Parameters<typeof verifyPayout>[0];
type Mandate = { text: string; signatures: Signed[] };

beforeEach(async () => {
  server = await testServer();
  house = await makeSignedHouse(server);
  account = await makeUser(server, { amount: '100000' });
  // As the migration leaves a roster that came into force before it.
  await server.query(sql`update signing_proposal set signs_digest = false`);
});
afterEach(() => server.stop());

async function order(): Promise<Payout> {
  const row: WithdrawRow = await makeWithdraw(server, house.alice.token, account);
  const submitted = await callSigned(server, house.alice, 'withdraw/pass', { id: row.id });
  const passed = await callSigned(server, house.bob, 'approval/pass', { id: submitted.data.id });
  expect(passed).toMatchObject({ code: 200 });
  const [payout] = await fetchPayouts(server, row.id);
  return payout?.data as Payout;
}

const accepts = (data: Payout, roster: HeldRoster): boolean => {
  try {
    return verifyPayout(data, { roster, now: server.clock.now() }).no === data.no;
  } catch {
    return false;
  }
};
/** A wallet of before knows exactly these fields. */
const isKnownToOldWallet = ({ signatures = [] }: Payout): boolean =>
  signatures.every(
    ({ consent }) => Object.keys(JSON.parse(consent) as object).join() === 'at,digests,kind,person,roster',
  );
const isAcceptedByScript = (data: Payout, text: string, isOld: boolean): boolean => {
  try {
    return verify(data, readRoster(text, { isOld }), { now: server.clock.now() }).persons.length === 2;
  } catch {
    return false;
  }
};

/** A new server signs the form of before under the roster that the wallets hold. */
async function signsTheFormOfBefore(): Promise<void> {
  const data = await order();
  expect(isKnownToOldWallet(data)).toBe(true);
  // A wallet that was upgraded takes it under the roster that it held, not under one that it pins now.
  expect(accepts(data, restoreRoster(house.roster, false))).toBe(true);
  expect(accepts(data, pinRoster(house.roster))).toBe(false);
  expect(isAcceptedByScript(data, house.roster, true)).toBe(true);
  expect(isAcceptedByScript(data, house.roster, false)).toBe(false);
  const early = house.alice.signer.sign(['x'], { at: server.clock.now(), roster: house.roster });
  expect(await call(server, 'POST', 'signing/add', { signature: early }, house.alice)).toMatchObject({
    code: 422,
    msg: expect.stringContaining('钱包尚不接受'),
  });
}

/** The setting has the digest signed at once, and the wallet of before refuses it. */
async function signsTheDigestBySetting(): Promise<void> {
  const old = await order();
  const { data: settings } = await call<{ id: number; key: string }[]>(server, 'GET', 'config/list', {}, house.alice);
  const id = settings.find(({ key }) => key === 'signing.rosterDigest')?.id;
  const on = await callAs(server, house.alice, 'config/save', { id, state: 1 });
  expect(on.code).toBe(200);
  const data = await order();
  expect(isKnownToOldWallet(data)).toBe(false);
  const upgraded = restoreRoster(house.roster, false);
  // Mixed: what was signed before the switch stays valid under this roster.
  expect([accepts(old, upgraded), accepts(data, upgraded), accepts(data, pinRoster(house.roster))]).toEqual([
    true,
    true,
    true,
  ]);
  const off = await callWithChecker(server, [house.alice, house.bob], 'config/save', { id, state: 0 });
  expect(off.code).toBe(200);
}

/** From the next roster on the digest is signed, and nothing else is valid. @returns a mandate of the roster before */
async function signsTheDigestFromTheNextRoster(): Promise<Mandate> {
  const signers = [house.alice.signer, house.bob.signer];
  const text = makeMandate(1, server.clock.now());
  const adopted = await adopt(server, text, [house.alice, house.bob]);
  expect(adopted).toMatchObject({ kind: 'mandate', state: 1 });
  const oldMandate = signMandate(text, signers, server.clock.now(), 1);
  const next = makeRoster([...signers, house.carol.signer], { version: 2, previous: digestOf(house.roster) });
  expect(await adopt(server, next, [house.alice, house.bob])).toMatchObject({ kind: 'roster', state: 1 });

  // The wallet held the roster of before, so it takes the signatures of before for the next one.
  const { data: rosters } = await platformCall<{ text: string; signatures: Signed[] }[]>(
    server,
    'GET',
    'rosters?after=1',
  );
  const held = restoreRoster(house.roster, false);
  const followed = rosters.reduce((roster, one) => acceptRoster(roster, one.text, one.signatures), held);
  expect(followed).toMatchObject({ version: 2, needsDigest: true });
  const data = await order();
  expect(accepts(data, followed)).toBe(true);
  expect(isAcceptedByScript(data, next, false)).toBe(true);

  const row = await makeWithdraw(server, house.alice.token, account);
  const due = await callAs<SignatureDue>(server, house.alice, 'withdraw/pass', { id: row.id });
  expect(due.data.sign).toMatchObject({ roster: 2, rosterDigest: digestOf(next) });
  const input = { ids: [row.id], action: 'pass' };
  const { data: texts } = await call<SigningTexts>(server, 'POST', 'signing/texts', input, house.alice);
  expect(texts.request).toMatchObject({ rosterDigest: digestOf(next) });
  const stale = makeMandate(2, server.clock.now(), { id: 'M-stale' });
  expect(await callAs(server, house.alice, 'signing/propose', { text: stale })).toMatchObject({ code: 409 });
  return oldMandate;
}

/** After a reset neither a mandate nor a signature of the roster before counts. */
async function countsNothingAfterReset(oldMandate: Mandate): Promise<void> {
  await closeAllProposals(server.owner, server.clock.now());
  const first = makeRoster([house.alice.signer, house.bob.signer, house.carol.signer], { threshold: 2 });
  expect(await adopt(server, first, [house.alice, house.carol])).toMatchObject({ state: 1 });
  const { text } = oldMandate;
  const data = { ...makeOrder(1), market: 'USDT', amount: '50', mandate: oldMandate };
  const now = server.clock.now();
  expect(() => verifyPayout(data, { roster: pinRoster(first), now })).toThrow('names no roster');
  expect(() => verify(data, readRoster(first), { now })).toThrow('--old-roster');
  expect(verifyPayout(data, { roster: restoreRoster(house.roster, false), now }).budget).toBeDefined();

  expect(await callAs(server, house.alice, 'signing/propose', { text })).toMatchObject({ code: 409 });
  // The owner of the database may put it into force again.
  await server.query(sql`update signing_proposal set state = 1 where kind = 'mandate' and text = ${text}`);
  const payout = { platform: 1, market: 'USDT', network: 'TRC20', amount: '50' };
  const usable = await inTransaction(server.app.system, async (db) => {
    const stored = await findRoster(db);
    return stored && fetchUsableMandates(db, readStored(stored), payout, now);
  });
  expect(usable).toEqual([]);

  // The same text again begins without signatures.
  await closeAllProposals(server.owner, now);
  server.clock.move(1000);
  expect(await adopt(server, first, [house.bob])).toBeUndefined();
}

test('an upgrade goes from a roster of before over the setting and the next roster to a reset', async () => {
  await signsTheFormOfBefore();
  await signsTheDigestBySetting();
  await countsNothingAfterReset(await signsTheDigestFromTheNextRoster());
});

test('persons outside the form, or two that differ only in case, are refused', async () => {
  await closeAllProposals(server.owner, server.clock.now());
  const random = makeRandom(Number(process.env['TEST_SEED'] ?? 1));
  const all = [...ignorables(), ...Object.values(confusables).flat()];
  const persons = [...Array.from({ length: 25 }, () => `al${random.pick(all)}ce`), 'a', 'x'.repeat(65)];
  for (const person of persons) {
    const text = makeRoster([house.alice.signer, house.bob.signer, makeSigner(person)]);
    const answer = await callAs(server, house.alice, 'signing/propose', { text });
    expect([answer.code, answer.msg, person]).toEqual([422, expect.stringContaining('规范格式'), person]);
  }
  const upper = makeSigner(house.alice.account.toUpperCase());
  const text = makeRoster([house.alice.signer, house.bob.signer, upper]);
  expect(await callAs(server, house.alice, 'signing/propose', { text })).toMatchObject({
    code: 422,
    msg: expect.stringContaining('规范格式'),
  });
});
