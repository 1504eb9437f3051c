import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import type { AutoBudget, AutoWhatIf } from '@hengtai/contract/risk/auto-payout/schema';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyPayout } from '../../../../../clients/typescript/src/payout.ts';
import { pinRoster } from '../../../../../clients/typescript/src/roster.ts';
import { makeMandate } from '../../../../../testing/payout-thief.ts';
import { digestOf } from '../../../../../testing/signer.ts';
import { budgetInput, fetchCoin, fetchDecision, wideBudget } from '../../../../test/auto-payout.ts';
import { makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { callAs, callWithChecker, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { makeRule } from '../../../../test/rules.ts';
import { type TestServer, call, testServer, unique } from '../../../../test/server.ts';
import { type SignedHouse, adopt, makeSignedHouse } from '../../../../test/signing.ts';
import { inTransaction } from '../../../database/connect.ts';
import { readRoster } from '../signing/consent.rules.ts';
import { fetchUsableMandates } from '../signing/signing.steps.ts';
import { decideCandidates } from './auto-payout.jobs.ts';

let server: TestServer;
let house: SignedHouse;
let token: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  house = await makeSignedHouse(server);
  ({ token } = house.alice);
  await refreshAllOtp(server);
  // On trial, which needs nobody else, so that a set runs.
  await makeRule(server, token, {}, 1);
});
afterAll(() => server.stop());

const saveWithChecker = async (budget: Partial<AutoBudget> = {}, marketId = 1) => {
  const input = await budgetInput(server, token, budget, marketId);
  return callWithChecker(server, [house.alice, house.bob], 'withdraw/auto/save', input);
};

describe('while four-eyes are locked', () => {
  // A coin of its own, which has no budget yet.
  const marketId = 2;
  const fetchOwn = () => fetchCoin(server, token, marketId);
  const save = async (budget: Partial<AutoBudget> = {}) =>
    callAs(server, house.alice, 'withdraw/auto/save', await budgetInput(server, token, budget, marketId));

  test('switching on, loosening and starting again need a second person; tightening and stopping do not', async () => {
    // Also a first budget that is off: its amounts are what remains when it is switched on.
    expect(await saveWithChecker({ on: false }, marketId)).toMatchObject({ code: 200 });
    const asked = await save();
    expect(asked).toMatchObject({ code: 202 });
    expect(await fetchOwn()).toMatchObject({ on: false });
    expect(await callAs(server, house.bob, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 200 });
    expect(await fetchOwn()).toMatchObject({ on: true, budget: { by: house.alice.account } });

    expect(await save({ dayCount: 5, firstByHand: true, reviewPercent: 5 })).toMatchObject({ code: 200 });
    const raise = await save({ dayCount: 6, firstByHand: true, reviewPercent: 5 });
    expect(raise).toMatchObject({ code: 202 });
    await callAs(server, house.bob, 'approval/reject', { id: raise.data.id, reason: 'no' });
    expect(await fetchOwn()).toMatchObject({ budget: { dayCount: 5 } });

    expect(await callAs(server, house.alice, 'withdraw/auto/stop', { marketId })).toMatchObject({
      code: 200,
      data: { stopped: [marketId] },
    });
    const startInput = { marketId, seen: (await fetchOwn())?.updatedAt ?? 0, reason: '已核实' };
    const start = await callAs(server, house.alice, 'withdraw/auto/start', startInput);
    expect(start).toMatchObject({ code: 202 });
    expect(await fetchOwn()).toMatchObject({ stopped: { why: 'operator' } });
    const seen = await call<AutoWhatIf>(server, 'GET', 'withdraw/auto/start/whatif', { marketId }, { token });
    expect(seen.data).toMatchObject({ question: 'start' });
    const shown = { id: start.data.id };
    expect(await call(server, 'GET', 'approval/detail', shown, { token: house.bob.token })).toMatchObject({
      data: { whatIf: seen.data },
    });
    expect(await callAs(server, house.bob, 'approval/pass', { id: start.data.id })).toMatchObject({ code: 200 });
    expect(await fetchOwn()).toMatchObject({ stopped: null });
  });

  test('who approves a budget sees what it would have passed, as its maker did', async () => {
    const account = await makeUser(server, { amount: '100', market: 'BTC' });
    const { id } = await makeWithdraw(server, token, account, { amount: '2', market: 'BTC' });
    const looser = { dayCount: 7, reviewPercent: 4 };
    const raise = await save(looser);
    expect(raise).toMatchObject({ code: 202 });
    const input = { ...wideBudget, ...looser, marketId };
    const seen = await call<AutoWhatIf>(server, 'POST', 'withdraw/auto/whatif', input, { token });
    expect(seen.data).toMatchObject({ marketName: 'BTC', opened: { newest: [{ id, account }] } });
    const read = async () =>
      call<ApprovalDetail>(server, 'GET', 'approval/detail', { id: raise.data.id }, { token: house.bob.token });
    expect((await read()).data.whatIf).toEqual(seen.data);
    // A checker who sees one tree only learns nothing of the withdrawals of others.
    const [bob] = await server.query(sql<{ id: number; abilities: number[] }>`
      select id, abilities from agent where account = ${house.bob.account}`);
    await server.query(sql`
      update agent set abilities = array_remove(abilities, ${ABILITY.headquarters}) where id = ${bob?.id}`);
    await server.query(sql`update approval set agent_id = ${bob?.id} where id = ${raise.data.id}`);
    const narrow = await read();
    expect(narrow).toMatchObject({ code: 200, data: { row: { id: raise.data.id } } });
    expect(narrow.data).not.toHaveProperty('whatIf');
    await server.query(sql`update agent set abilities = ${bob?.abilities} where id = ${bob?.id}`);
    await callAs(server, house.bob, 'approval/reject', { id: raise.data.id, reason: 'no' });
    expect((await read()).data).not.toHaveProperty('whatIf');
  });

  test('an approval of a start covers the causes that its maker has looked at, and no later one', async () => {
    const addCause = async () => {
      const { id } = await makeWithdraw(server, token, await makeUser(server, { amount: '10' }), { amount: '2' });
      await server.query(sql`insert into auto_stop_cause (market_id, why, withdraw_id, created_at)
        values (${marketId}, 'failed', ${id}, ${server.clock.now()})`);
    };
    const ask = async () => {
      const coin = await fetchOwn();
      const causes = coin?.causes?.map(({ id }) => id);
      const input = { marketId, seen: coin?.updatedAt ?? 0, causes, reason: '已核实' };
      return callAs(server, house.alice, 'withdraw/auto/start', input);
    };
    const pass = (id: number) => callAs(server, house.bob, 'approval/pass', { id });
    await addCause();
    const first = await ask();
    expect(first).toMatchObject({ code: 202 });
    await addCause();
    expect(await pass(first.data.id)).toMatchObject({ code: 409 });
    expect(await fetchOwn()).toMatchObject({ stopped: { why: 'failed' } });
    await callAs(server, house.bob, 'approval/reject', { id: first.data.id, reason: 'no' });
    const second = await ask();
    const { data } = await call(server, 'GET', 'approval/detail', { id: second.data.id }, { token: house.bob.token });
    expect(JSON.stringify(data)).toContain('已核对的起因');
    expect(await pass(second.data.id)).toMatchObject({ code: 200 });
    expect(await fetchOwn()).toMatchObject({ stopped: null, causes: [] });
  });
});

describe('in signed mode', () => {
  beforeEach(async () => {
    await server.query(sql`update signing_proposal set state = 2 where kind = 'mandate'`);
    const coin = await fetchCoin(server, token);
    if (!coin?.on || coin.budget?.firstByHand) await saveWithChecker();
  });

  async function decided(amount: string) {
    const row = await makeWithdraw(server, token, await makeUser(server, { amount: '500' }), { amount, fee: '1' });
    await decideCandidates(server.app);
    const [payout] = await server.query(sql<{ data: CommandData['withdraw.payout'] }>`
      select data from command where type = 'withdraw.payout' and ref_id = ${row.id}`);
    return { decision: await fetchDecision(server, token, row.id), payout: payout?.data };
  }
  const coins = [{ market: 'USDT', networks: ['TRC20'], largest: '100', perDay: '150' }];

  test('a payout needs a mandate that covers it, and carries it to the wallet', async () => {
    expect(await decided('100')).toMatchObject({ decision: { why: 'mandate' }, payout: undefined });
    const mandate = await adopt(server, makeMandate(house.roster, server.clock.now(), { id: unique('M-'), coins }), [
      house.alice,
      house.bob,
    ]);
    const { decision, payout } = await decided('100');
    expect(decision).toMatchObject({ passed: true, mandateId: mandate?.id });
    const held = { roster: pinRoster(house.roster), now: server.clock.now() };
    if (!payout) throw new Error('No payout was ordered.');
    expect(verifyPayout(payout as Parameters<typeof verifyPayout>[0], held)).toMatchObject({
      budget: { market: 'USDT', amount: '99', perDay: '150' },
    });
    // Larger than one payout may be, and than what is left of the day.
    expect((await decided('101.000000000000000001')).decision).toMatchObject({ why: 'mandate' });
    expect((await decided('52.000000000000000001')).decision).toMatchObject({ why: 'mandate' });
    expect((await decided('52')).decision).toMatchObject({ passed: true });
  });

  const fitting = { platform: 1, market: 'USDT', network: 'TRC20', amount: '100' };
  test.each([
    ['what it covers', 1, fitting, 0],
    ['another platform', 0, { ...fitting, platform: 2 }, 0],
    ['another coin', 0, { ...fitting, market: 'BTC' }, 0],
    ['another network', 0, { ...fitting, network: 'ERC20' }, 0],
    ['more than the largest', 0, { ...fitting, amount: '100.000000000000000001' }, 0],
    ['a time after its end', 0, fitting, 2 * 86_400_000],
    ['a time before its begin', 0, fitting, -86_400_000],
  ])('a mandate is usable for %s: %i', async (_what, count, payout, later) => {
    const text = makeMandate(house.roster, server.clock.now(), { id: unique('M-'), coins });
    await adopt(server, text, [house.alice, house.bob]);
    const roster = readRoster({
      text: house.roster,
      digest: digestOf(house.roster),
      needsDigest: true,
      signsDigest: true,
    });
    const usable = await inTransaction(server.app.system, (db) =>
      fetchUsableMandates(db, roster, payout, server.clock.now() + later),
    );
    expect(usable).toHaveLength(count);
  });

  test('a mandate without enough valid signatures is not usable', async () => {
    const text = makeMandate(house.roster, server.clock.now(), { id: 'M-unsigned', coins });
    await server.query(sql`
      insert into signing_proposal (kind, version, text, digest, state, by_account, created_at)
      values ('mandate', 1, ${text}, ${digestOf(text)}, 1, 'alice', 1)`);
    expect((await decided('10')).decision).toMatchObject({ why: 'mandate' });
  });
});
