// @module-tag sized
import { LEVELS, inheritedTerms } from '@hengtai/contract/risk/withdraw-limit/calls';
import {
  type CoinLimits,
  loosenedTermsOfCoin,
  loosensGroup,
  loosensGroupDelete,
  loosensMove,
  withTerms,
} from '@hengtai/contract/risk/withdraw-limit/compare';
import type { LimitTerms } from '@hengtai/contract/risk/withdraw-limit/schema';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareReach, reachOf } from './limit-reach.ts';
import { NO_GAIN, fieldChange, playAlone, recordOf } from './one-person.ts';

const NAMES = ['gold', 'silver', 'watched'] as const;
type Name = (typeof NAMES)[number];

interface Group {
  id: number;
  name: Name;
  forAgents: boolean;
  members: number;
}

interface World {
  coins: CoinLimits[];
  groups: Group[];
  /** Group of one user who is moved. */
  userGroup: number | null;
  nextId: number;
}

type Move =
  | { kind: 'limit'; coin: number; level: number; group: number; terms: Partial<LimitTerms> }
  | { kind: 'add'; name: Name; forAgents: boolean }
  | { kind: 'save'; group: number; name: Name; forAgents: boolean }
  | { kind: 'delete'; group: number }
  | { kind: 'assign'; group: number };

const amounts = [null, '0', '1', '2', '5'] as const;
const termChange = fieldChange<LimitTerms>({
  withdrawState: [null, 0, 1],
  singleMin: amounts,
  singleMax: amounts,
  dayAmount: amounts,
  dayCount: [null, 0, 1, 3],
  feeFixed: amounts,
  feeRate: [null, '0', '0.01'],
});
const rarely = [null, null, null, ...amounts] as const;
const terms = recordOf<LimitTerms>({
  withdrawState: [null, null, 0, 1],
  singleMin: rarely,
  singleMax: rarely,
  dayAmount: rarely,
  dayCount: [null, null, null, 0, 1, 3],
  feeFixed: rarely,
  feeRate: [null, null, '0', '0.01'],
});
const tiers = [0, 1, 2].map((level) => ({ level, groupId: null }));

const world: fc.Arbitrary<World> = fc
  .record({
    coins: fc.array(fc.array(terms, { minLength: 5, maxLength: 5 }), { minLength: 2, maxLength: 2 }),
    members: fc.constantFrom(0, 2),
    forAgents: fc.boolean(),
    userGroup: fc.constantFrom(null, 1, 2),
  })
  .map(({ coins, members, forAgents, userGroup }) => ({
    coins: coins.map((each) => ({
      coin: { withdrawMin: '1', withdrawMax: '5' },
      limits: [...tiers, ...[1, 2].map((groupId) => ({ level: null, groupId }))].map((tier, n) => ({
        ...tier,
        ...(each[n] ?? inheritedTerms),
      })),
    })),
    groups: [
      { id: 1, name: 'gold', forAgents, members },
      { id: 2, name: 'silver', forAgents: false, members: 0 },
    ],
    userGroup,
    nextId: 3,
  }));

const group = fc.nat({ max: 2 });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('limit'),
      coin: fc.nat({ max: 1 }),
      level: fc.constantFrom(...LEVELS),
      group,
      terms: termChange,
    }),
  },
  fc.record({ kind: fc.constant('add'), name: fc.constantFrom(...NAMES), forAgents: fc.boolean() }),
  fc.record({ kind: fc.constant('save'), group, name: fc.constantFrom(...NAMES), forAgents: fc.boolean() }),
  fc.record({ kind: fc.constant('delete'), group }),
  fc.record({ kind: fc.constant('assign'), group }),
);

const tierOf = ({ groups }: World, { level, group: index }: { level: number; group: number }) => {
  const found = groups[index];
  return found && level > 0 ? { level: null, groupId: found.id } : { level, groupId: null };
};

const membersOf = (found: Group, { userGroup }: World): number => found.members + Number(found.id === userGroup);

function apply(state: World, made: Move): World | undefined {
  const { coins, groups } = state;
  if (made.kind === 'limit') {
    const tier = tierOf(state, made);
    const next = coins.map((each, n) => {
      const { level: _level, groupId: _group, ...current } = each.limits.find((one) => isOf(one, tier)) ?? noTerms;
      return n === made.coin ? withTerms(each, tier, { ...current, ...made.terms }) : each;
    });
    return { ...state, coins: next };
  }
  if (made.kind === 'add') {
    const added = { id: state.nextId, name: made.name, forAgents: made.forAgents, members: 0 };
    if (groups.some(({ name }) => name === made.name)) return undefined;
    return { ...state, groups: [...groups, added], nextId: state.nextId + 1 };
  }
  const found = groups[made.group];
  if (made.kind === 'assign') return { ...state, userGroup: found?.id ?? null };
  if (!found) return undefined;
  const others = groups.filter((one) => one !== found);
  if (made.kind === 'delete') return membersOf(found, state) > 0 ? undefined : { ...state, groups: others };
  if (others.some(({ name }) => name === made.name)) return undefined;
  return { ...state, groups: [...others, { ...found, name: made.name, forAgents: made.forAgents }] };
}

const noTerms = { level: null, groupId: null, ...inheritedTerms };
const isOf = (one: { level: number | null; groupId: number | null }, tier: typeof one): boolean =>
  one.level === tier.level && one.groupId === tier.groupId;

/** What the services ask while four-eyes are locked. */
function loosens(before: World, after: World, made: Move): boolean {
  const [old, now] = [before, after].map(({ coins }) => made.kind === 'limit' && coins[made.coin]);
  if (old && now) return loosenedTermsOfCoin(old, now).length > 0;
  if (made.kind === 'limit') throw new Error(`no coin ${made.coin}`);
  if (made.kind === 'add') return loosensGroup(null, made, before.coins);
  if (made.kind === 'assign') return loosensMove(before.coins, before.userGroup, after.userGroup);
  const found = before.groups[made.group];
  if (!found) return false;
  if (made.kind === 'delete') return loosensGroupDelete(found.id, before.coins);
  return loosensGroup({ ...found, members: membersOf(found, before) }, made, before.coins);
}

/** Groups are found by name, as people do: one that does not exist is closed, empty, and inherits everything. */
function gains(before: World, after: World): string[] {
  const reach = (state: World, coin: number, level: number, groupId: number | null | undefined) => {
    const limits = state.coins[coin];
    if (!limits) throw new Error(`no coin ${coin}`);
    return reachOf(limits, level, groupId ?? undefined);
  };
  const idOf = ({ groups }: World, name: string | null) => groups.find((one) => one.name === name)?.id;
  const pairs = [0, 1].flatMap((coin) =>
    LEVELS.flatMap((level) => [
      ...[null, ...NAMES].flatMap((name) =>
        compareReach(
          `coin ${coin} level ${level} ${name}`,
          reach(before, coin, level, idOf(before, name)),
          reach(after, coin, level, idOf(after, name)),
        ),
      ),
      ...compareReach(
        `the user in coin ${coin} level ${level}`,
        reach(before, coin, level, before.userGroup),
        reach(after, coin, level, after.userGroup),
      ),
    ]),
  );
  const groupOf = ({ groups }: World, name: string) => groups.find((one) => one.name === name);
  const names = NAMES.flatMap((name) => {
    const [old, now] = [groupOf(before, name), groupOf(after, name)];
    return [
      ...(now?.forAgents && !old?.forAgents ? [`${name} for agents`] : []),
      ...((now?.members ?? 0) > (old?.members ?? 0) ? [`members of ${name}`] : []),
    ];
  });
  return [...pairs, ...names];
}

test('one person loosens no limit of any level, group or user', () => {
  expect(playAlone({ start: world, move, apply, loosens, gains })).toEqual(NO_GAIN);
});
