// @module-tag soak
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { checkBook } from '../src/books/ledger/check.ts';
import { Attack, RuleViolation } from './four-eyes-attack.ts';
import { SKIPPED_CALLS, modelCalls } from './four-eyes-calls.ts';
import { HonestOperators } from './four-eyes-honest.ts';
import { type Role, makeModelWorld, roles } from './four-eyes-world.ts';
import { nextDayAt } from './server.ts';

/**
 * A compromised operator controls every account that it creates or resets and tries random calls of the whole contract
 * while four-eyes are locked. Careless honest operators approve its requests. The forbidden effects are derived from
 * the answers and the tables by independent rules.
 */

/** Steps per role: 2,000 over all roles in the full run, 100,000 in the long run. */
const STEPS = sized({ full: 500, long: 25_000 });
/** The full run keeps its seed, with which it finds the holes that it was made for. */
const SEED = sized({ full: 1, long: Number(process.env['TEST_SEED'] ?? 1) });

/** Seeded random number generator (mulberry32). The seed is printed when a step escapes. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Shares = readonly (readonly [share: number, name: string])[];

/** Shares of the calls that move money or make accounts, and of those that save what protects. */
const MONEY_CALLS: Shares = [
  [10, 'asset.activeAdd'],
  [3, 'asset.activeSub'],
  [4, 'asset.frozenAdd'],
  [2, 'asset.frozenSub'],
  [4, 'withdraw.pass'],
  [2, 'withdraw.retry'],
  [2, 'ieo.pass'],
  [5, 'user.agentChange'],
  [3, 'agent.state'],
  [2, 'agent.add'],
  [2, 'user.pwdUpdate'],
  [2, 'user.token'],
  [3, 'approval.pass'],
];
const SAVE_CALLS: Shares = [
  [11, 'config.save'],
  [9, 'withdrawLimit.save'],
  [4, 'withdrawLimit.groupSave'],
  [3, 'withdrawLimit.assign'],
  [4, 'market.save'],
  [5, 'autoPayout.save'],
  [4, 'gatewayKey.save'],
  [1, 'addressList.add'],
  [1, 'addressList.remove'],
  [3, 'approval.cancel'],
  [3, 'approval.resubmit'],
];
/** Nobody else may save anything of the house. */
const SAVING_ROLES: readonly Role[] = ['admin', 'headquarters'];

function pickCall(role: Role, below: (n: number) => number): string {
  const shares = SAVING_ROLES.includes(role) ? [...MONEY_CALLS, ...SAVE_CALLS] : MONEY_CALLS;
  let roll = below(shares.reduce((sum, [share]) => sum + share, 0));
  const found = shares.find(([share]) => (roll -= share) < 0);
  return found?.[1] ?? '';
}

const callCounts = new Map<string, number>();

async function runStep(role: Role, attack: Attack, honest: HonestOperators): Promise<void> {
  attack.world.server.clock.move(1_000);
  let roll = attack.below(100);
  const others = [
    [4, () => honest.sendPlatformEvents()],
    [9, () => honest.decideRequest()],
    [2, () => honest.requestAdjustment()],
    [4, () => honest.advanceClock()],
    [6, () => attack.repeat()],
    [12, () => attack.sendRandomCall()],
  ] as const;
  for (const [share, act] of others) {
    if (roll < share) return act();
    roll -= share;
  }
  return attack.sendRandomCall(pickCall(role, attack.below));
}

afterAll(() => {
  const skipped = [...new Set(Object.values(SKIPPED_CALLS))].map((reason) => {
    const names = Object.entries(SKIPPED_CALLS).flatMap(([name, other]) => (other === reason ? [name] : []));
    return `  not: ${reason}: ${names.join(' ')}`;
  });
  const unchecked = [...callCounts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count}`);
  const lines = [`four-eyes model: ${modelCalls.length} calls`, ...skipped, `  done alone: ${unchecked.join(', ')}`];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
});

describe.each(roles)('a compromised %s', (role) => {
  let attack: Attack;
  let honest: HonestOperators;

  beforeAll(async () => {
    const world = await makeModelWorld(role);
    // Only steps advance the time, from the same hour, so that a seed always plays the same.
    const { clock } = world.server;
    clock.freeze();
    clock.move(nextDayAt(9, clock.now()) - clock.now());
    attack = new Attack(world, randomFrom(SEED + roles.indexOf(role)));
    await attack.begin();
    honest = new HonestOperators(attack);
  });
  afterAll(async () => {
    expect(await checkBook(attack.world.server.owner)).toEqual([]);
    await attack.world.server.stop();
  });

  test(
    'moves no more than the limits and loosens nothing',
    { timeout: sized({ full: 180_000, long: 7_200_000 }) },
    async () => {
      for (let n = 0; n < STEPS; n += 1) {
        try {
          await runStep(role, attack, honest);
        } catch (error) {
          if (!(error instanceof RuleViolation)) throw error;
          const log = attack.log.slice(-40).join('\n');
          expect.fail(`seed ${SEED}, step ${n}: ${error.message}\n${log}`);
        }
      }
      for (const [name, count] of attack.uncheckedCalls) callCounts.set(name, (callCounts.get(name) ?? 0) + count);
      // The run proves nothing if every call was refused.
      if (role !== 'approver') expect(attack.moneyMoved.uncheckedMoves.get('asset.active') ?? 0).toBeGreaterThan(0);
    },
  );
});
