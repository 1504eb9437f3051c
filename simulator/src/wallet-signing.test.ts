// @module-tag sized
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import {
  type Loot,
  type PayoutData,
  attacks,
  makeMandate,
  makeOrder,
  makeRandom,
  makeSpending,
  makeThief,
  signMandate,
  signPayout,
} from '../../testing/payout-thief.ts';
import { digestOf, makeRoster, makeSigner } from '../../testing/signer.ts';
import { createState } from './state.ts';
import { findHeldVersion, followRosters } from './wallet-signing.ts';
import { payOut } from './wallet.ts';
import { type World, createWorld } from './world.ts';

type PayoutCommand = Extract<PlatformCommand, { type: 'withdraw.payout' }>;

const HONEST = sized({ short: 200, full: 1_000 });
const ATTACKS = sized({ short: 1_000, full: 10_000 });
const AT = 1_800_000_000_000;
const MAX_AGE = 48 * 3_600_000;
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000_000);
const directory = mkdtempSync(join(tmpdir(), 'hengtai-roster-'));
const file = join(directory, 'roster.json');
const alice = makeSigner('alice');
const bob = makeSigner('bob');
const carol = makeSigner('carol');
const roster = makeRoster([alice, bob]);
let world: World;

beforeEach(() => {
  writeFileSync(file, `${roster}\n`);
  const options = {
    seed: 'wallet',
    users: 40,
    days: 3,
    fail: 0,
    unknown: 0,
    late: 0,
    screenFaults: 0,
    walletFaults: {},
    speed: 1,
    roster: file,
  };
  world = createWorld(options, createState('wallet'), []);
  world.now = AT + 5_000;
});
afterAll(() => rmSync(directory, { recursive: true }));

let seq = 0;
/** Sends a payout to the wallet. Returns the reason of a refusal. */
function send(data: PayoutData): string | undefined {
  seq += 1;
  const command = { seq, id: seq, type: 'withdraw.payout', at: world.now, attempt: 1, data } as PayoutCommand;
  return payOut(world, command)?.reason;
}
const paidNos = (): string[] => Object.values(world.state.payouts).map(({ no }) => no);
const order = (index: number): PayoutData => signPayout(makeOrder(index), [alice, bob], AT, roster);

describe('a wallet with a roster', () => {
  test('pays nothing to a thief of everything above it, and every honest payout', () => {
    const honest = Array.from({ length: HONEST }, (_, index) => order(index));
    const mandate = signMandate(makeMandate(roster, AT), [alice, bob], AT, roster);
    const [paid, waiting] = [honest.slice(0, HONEST / 2), honest.slice(HONEST / 2)];
    const loot: Loot = { signers: [alice, bob], roster, paid, waiting, mandate, at: AT, maxAge: MAX_AGE };
    for (const data of paid) expect(send(data)).toBeUndefined();
    const spent = makeSpending(mandate).map(send);
    expect(spent.filter((reason) => reason === undefined)).toHaveLength(11);
    const before = paidNos();

    const random = makeRandom(seed);
    const thief = makeThief();
    // The simulated wallet belongs to platform 1 and repeats the answer to a payout that it has.
    const kinds = Object.entries(attacks).filter(([kind]) => kind !== 'for another platform');
    const stolen = new Set<string>();
    for (let index = 0; index < ATTACKS; index++) {
      const [kind, attack] = kinds[index % kinds.length] ?? random.pick(kinds);
      const { data, later = 0 } = attack(loot, random, thief);
      world.now = AT + 5_000 + later;
      const count = Object.keys(world.state.payouts).length;
      const reason = send(data);
      if (Object.keys(world.state.payouts).length > count || (reason === undefined && kind !== 'replayed'))
        stolen.add(`${kind}, seed ${seed}`);
    }
    expect([...stolen]).toEqual([]);
    expect(paidNos()).toEqual(before);

    world.now = AT + 10_000;
    for (const data of waiting) expect(send(data)).toBeUndefined();
    expect(paidNos()).toHaveLength(HONEST + 11);
  });

  test('pays nothing while the file of the roster is missing', () => {
    rmSync(file);
    expect(send(order(1))).toContain('尚未固定');
    writeFileSync(file, roster);
    expect(send(order(1))).toBeUndefined();
  });

  test('counts the budget of a mandate by itself', () => {
    const mandate = signMandate(makeMandate(roster, AT), [alice, bob], AT, roster);
    expect(makeSpending(mandate).map(send).at(-1)).toContain('当日额度');
  });

  test('pays another attempt only after it failed the one before', () => {
    world = { ...world, options: { ...world.options, fail: 1 } };
    send(order(1));
    expect(Object.values(world.state.payouts)).not.toMatchObject([{ outcome: 'paid' }]);
    world = { ...world, options: { ...world.options, fail: 0 } };
    expect(send(signPayout({ ...makeOrder(1), attempt: 2 }, [alice, bob], AT, roster))).toBeUndefined();
    expect(send(signPayout({ ...makeOrder(1), attempt: 3 }, [alice, bob], AT, roster))).toContain('已受理');
  });

  test('follows rosters that enough people of the held one signed, and no others', () => {
    expect(findHeldVersion(world)).toBe(1);
    const next = makeRoster([alice, carol], { version: 2, previous: digestOf(roster) });
    const follow = (text: string, signers = [alice, bob]): number | undefined => {
      const signatures = signers.map((signer) => signer.sign([text], { at: AT, roster }));
      followRosters(world, [{ version: 2, text, signatures }]);
      return findHeldVersion(world);
    };
    expect(follow(next, [alice])).toBe(1);
    expect(follow(next, [alice, carol])).toBe(1);
    expect(follow(next)).toBe(2);
    // Signed under the roster before.
    expect(send(order(1))).toContain('名册版本');
    const data = makeOrder(1);
    const signed = signPayout(data, [alice, bob], AT, next);
    const signatures = [alice, carol].map((signer) => signer.sign([signed.payout ?? ''], { at: AT, roster: next }));
    expect(send({ ...signed, signatures })).toBeUndefined();

    // After lost keys a person pins another first roster. What was paid is not paid again.
    const first = makeRoster([bob, carol]);
    writeFileSync(file, first);
    expect(findHeldVersion(world)).toBe(1);
    expect(send(signPayout(makeOrder(2), [alice, bob], AT, first))).toContain('密钥不在名册中');
    expect(send(signPayout(makeOrder(2), [bob, carol], AT, first))).toBeUndefined();
    expect(send(signPayout({ ...makeOrder(1), attempt: 2 }, [bob, carol], AT, first))).toContain('已受理');
  });
});
