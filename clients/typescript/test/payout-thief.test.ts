// @module-tag sized
import { beforeAll, describe, expect, test } from 'vitest';
import { InvalidPayout, readRoster, verify } from '../../../scripts/verify-payout.mjs';
import { sized } from '../../../testing/level.ts';
import {
  type Loot,
  MEMORY_ATTACKS,
  type PayoutData,
  attacks,
  makeMandate,
  makeOrder,
  makeRandom,
  makeSpending,
  makeThief,
  signMandate,
  signPayout,
} from '../../../testing/payout-thief.ts';
import { type Signer, makeRoster, makeSigner } from '../../../testing/signer.ts';
import { MemoryPayoutStore, claimPayout } from '../src/payout.ts';
import { type HeldRoster, NotVerified, pinRoster } from '../src/roster.ts';

const HONEST = sized({ short: 200, full: 1_000 });
const ATTACKS = sized({ short: 1_000, full: 10_000 });
const AT = 1_800_000_000_000;
const maxAge = 48 * 3_600_000;
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000_000);

let alice: Signer;
let bob: Signer;
let held: string;
let roster: HeldRoster;
let store: MemoryPayoutStore;
let honest: PayoutData[];
let loot: Loot;

beforeAll(() => {
  alice = makeSigner('alice');
  bob = makeSigner('bob');
  held = makeRoster([alice, bob, makeSigner('carol'), makeSigner('alice')]);
  roster = pinRoster(held);
  store = new MemoryPayoutStore();
  honest = Array.from({ length: HONEST }, (_, index) =>
    signPayout(makeOrder(index), index % 2 === 0 ? [alice, bob] : [bob, alice], AT, held),
  );
  const mandate = signMandate(makeMandate(held, AT), [alice, bob], AT, held);
  const half = HONEST / 2;
  const signers = [alice, bob];
  loot = { signers, roster: held, paid: honest.slice(0, half), waiting: honest.slice(half), mandate, at: AT, maxAge };
});

/** Lets the wallet decide about a payout. Returns the fault, or undefined if it pays. */
async function pay(data: PayoutData, { later = 0, platform = 1 } = {}): Promise<string | undefined> {
  try {
    await claimPayout(data, store, { roster, platform, maxAge, now: AT + 5_000 + later });
    return undefined;
  } catch (error) {
    if (error instanceof NotVerified) return error.fault;
    throw error;
  }
}

describe('a thief of everything above the wallet', () => {
  test('is paid nothing, and stops no honest payout', async () => {
    const first = await Promise.all(loot.paid.map((data) => pay(data)));
    expect(first).toEqual(loot.paid.map(() => undefined));
    const spent: unknown[] = [];
    for (const data of makeSpending(loot.mandate)) spent.push(await pay(data));
    expect(spent).toEqual([...Array.from({ length: 11 }), 'budget']);

    const random = makeRandom(seed);
    const thief = makeThief();
    const kinds = Object.entries(attacks);
    const stolen: unknown[] = [];
    const faults = new Set<string>();
    for (let index = 0; index < ATTACKS; index++) {
      const [kind, attack] = kinds[index % kinds.length] ?? random.pick(kinds);
      const { data, ...circumstances } = attack(loot, random, thief);
      const fault = await pay(data, circumstances);
      if (fault === undefined) stolen.push({ kind, seed, index, data });
      else faults.add(fault);
    }
    expect(stolen).toEqual([]);
    // Every fault, so that no check hides another.
    expect([...faults].toSorted()).toEqual([
      'age',
      'budget',
      'challenge',
      'client_data',
      'differs',
      'malformed',
      'mandate',
      'platform',
      'relying_party',
      'repeated',
      'roster_digest',
      'roster_version',
      'same_person',
      'signature',
      'threshold',
      'unknown_key',
      'unsigned',
      'user_verification',
    ]);

    const rest = await Promise.all(loot.waiting.map((data) => pay(data)));
    expect(rest).toEqual(loot.waiting.map(() => undefined));
  });

  test('is refused by the script as well', () => {
    const read = readRoster(held);
    const random = makeRandom(seed);
    const thief = makeThief();
    const verified = (data: PayoutData, later = 0, platform = 1): boolean => {
      try {
        return verify(data, read, { platform, maxAge, now: AT + 5_000 + later }).persons.length === 2;
      } catch (error) {
        if (error instanceof InvalidPayout) return false;
        throw error;
      }
    };
    expect(honest.every((data) => verified(data))).toBe(true);
    const accepted = Object.entries(attacks).flatMap(([kind, attack]) =>
      Array.from({ length: 20 }, () => attack(loot, random, thief))
        // A script without a memory cannot know what was paid.
        .filter(({ data, later, platform }) => !MEMORY_ATTACKS.includes(kind) && verified(data, later, platform))
        .map(({ data }) => ({ kind, seed, data })),
    );
    expect(accepted).toEqual([]);
  });
});
