// @module-tag soak
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { checkBook } from '../src/ledger/check.ts';
import { Attack, RuleViolation } from './four-eyes-attack.ts';
import { SKIPPED_CALLS, modelCalls } from './four-eyes-calls.ts';
import { HonestOperators } from './four-eyes-honest.ts';
import { makeModelWorld, roles } from './four-eyes-world.ts';

/**
 * A compromised operator controls every account that it creates or resets and tries random calls of the whole contract
 * while four-eyes are locked. Careless honest operators approve its requests. The forbidden effects are derived from
 * the answers and the tables by independent rules.
 */

/** Steps per role: 2,000 over all roles in the full run, 100,000 in the long run. */
const STEPS = sized({ full: 500, long: 25_000 });
const SEED = Number(process.env['TEST_SEED'] ?? 1);

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

/** Probability of each call in percent. The rest is spread evenly over all calls. */
const CALL_PERCENTAGES: readonly [number, string][] = [
  [14, 'asset.activeAdd'],
  [5, 'asset.activeSub'],
  [5, 'asset.frozenAdd'],
  [3, 'asset.frozenSub'],
  [5, 'withdraw.pass'],
  [2, 'withdraw.retry'],
  [2, 'ieo.pass'],
  [6, 'user.agentChange'],
  [3, 'agent.state'],
  [2, 'agent.add'],
  [2, 'user.pwdUpdate'],
  [2, 'user.token'],
  [3, 'config.save'],
  [3, 'approval.pass'],
];

const callCounts = new Map<string, number>();

async function runStep(attack: Attack, honest: HonestOperators): Promise<void> {
  let roll = attack.below(100);
  const others = [
    [4, () => honest.sendPlatformEvents()],
    [9, () => honest.decideRequest()],
    [2, () => honest.requestAdjustment()],
    [4, () => honest.advanceClock()],
    [8, () => attack.repeat()],
  ] as const;
  for (const [share, act] of others) {
    if (roll < share) return act();
    roll -= share;
  }
  for (const [share, name] of CALL_PERCENTAGES) {
    if (roll < share) return attack.sendRandomCall(name);
    roll -= share;
  }
  return attack.sendRandomCall();
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
          await runStep(attack, honest);
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
