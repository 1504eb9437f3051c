// @module-tag soak
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { checkBook } from '../src/ledger/check.ts';
import { Attack, Escape } from './four-eyes-attack.ts';
import { LEFT_OUT, playedCalls } from './four-eyes-calls.ts';
import { HonestPeople } from './four-eyes-honest.ts';
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
const OFTEN: readonly [number, string][] = [
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

const tried = new Map<string, number>();

async function step(attack: Attack, honest: HonestPeople): Promise<void> {
  let at = attack.below(100);
  const others = [
    [4, () => honest.supply()],
    [9, () => honest.check()],
    [2, () => honest.request()],
    [4, () => honest.wait()],
    [8, () => attack.repeat()],
  ] as const;
  for (const [share, act] of others) {
    if (at < share) return act();
    at -= share;
  }
  for (const [share, name] of OFTEN) {
    if (at < share) return attack.play(name);
    at -= share;
  }
  return attack.play();
}

afterAll(() => {
  const left = [...new Set(Object.values(LEFT_OUT))].map((why) => {
    const names = Object.entries(LEFT_OUT).flatMap(([name, reason]) => (reason === why ? [name] : []));
    return `  not: ${why}: ${names.join(' ')}`;
  });
  const done = [...tried].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, many]) => `${name} ${many}`);
  const lines = [`four-eyes model: ${playedCalls.length} calls`, ...left, `  done alone: ${done.join(', ')}`];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
});

describe.each(roles)('a compromised %s', (role) => {
  let attack: Attack;
  let honest: HonestPeople;

  beforeAll(async () => {
    const world = await makeModelWorld(role);
    attack = new Attack(world, randomFrom(SEED + roles.indexOf(role)));
    await attack.begin();
    honest = new HonestPeople(attack);
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
          await step(attack, honest);
        } catch (error) {
          if (!(error instanceof Escape)) throw error;
          const log = attack.log.slice(-40).join('\n');
          expect.fail(`seed ${SEED}, step ${n}: ${error.message}\n${log}`);
        }
      }
      for (const [name, many] of attack.done) tried.set(name, (tried.get(name) ?? 0) + many);
      // The run proves nothing if every call was refused.
      if (role !== 'approver') expect(attack.moved.alone.get('asset.active') ?? 0).toBeGreaterThan(0);
    },
  );
});
