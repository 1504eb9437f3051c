// @module-tag sized
import { ADDRESS_LIST, loosensList } from '@hengtai/contract/risk/address-list/calls';
import { BRANCH_LIMIT_PREFIX, BRANCH_MULTIPLE } from '@hengtai/contract/desk/approval/calls';
import { autoAmounts, loosensBudget } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoBudget } from '@hengtai/contract/risk/auto-payout/schema';
import type { BinaryContractConfigSettings } from '@hengtai/contract/trading/binary-contract/schema';
import { type SettingKey, loosensSetting, settingGuards } from '@hengtai/contract/authority/four-eyes';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { loosensBand, loosensGrants } from '@hengtai/contract/risk/price-protection/calls';
import type { PriceProtectionSave } from '@hengtai/contract/risk/price-protection/schema';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressTest } from '../src/gateway/networks.ts';
import { loosensConfig } from '../src/domains/trading/binary-contract/binary-contract.rules.ts';
import {
  type KeyTerms,
  type PlatformTerms,
  loosensKey,
  loosensPlatform,
} from '../src/domains/house/gateway-key/gateway-key.rules.ts';
import { loosensMarket } from '../src/domains/trading/market/market.rules.ts';
import { type Setting, isLooserSetting } from './four-eyes-setting-rules.ts';
import { NO_GAIN, fieldChange, playAlone, recordOf } from './one-person.ts';

const merge = <S extends object>(state: S, change: Partial<S>): S => ({ ...state, ...change });
/** The fields that differ: for records of which no field may change in the direction that `isGain` names. */
const fieldsWhere = <S extends object>(before: S, after: S, isGain: (field: keyof S) => boolean): string[] =>
  (Object.keys(after) as (keyof S)[]).filter((field) => before[field] !== after[field] && isGain(field)).map(String);

const budget: { [K in keyof AutoBudget]: readonly AutoBudget[K][] } = {
  on: [false, true],
  dayAmount: ['0', '5', '10'],
  dayCount: [0, 5, 10],
  userDayAmount: ['0', '5', '10'],
  largestUnverified: ['0', '5', '10'],
  largestBasic: ['0', '5', '10'],
  largestAdvanced: ['0', '5', '10'],
  firstByHand: [true, false],
  reviewPercent: [0, 50, 100],
};

test('one person loosens no budget of automatic payouts', () => {
  expect(
    playAlone<AutoBudget, Partial<AutoBudget>>({
      start: recordOf(budget),
      move: fieldChange(budget),
      apply: merge,
      loosens: loosensBudget,
      gains: (before, after) => [
        ...autoAmounts.filter((name) => Number(after[name]) > Number(before[name])),
        ...fieldsWhere(before, after, (field) =>
          field === 'on' ? after.on : field === 'firstByHand' && before.firstByHand,
        ),
        ...(after.dayCount > before.dayCount ? ['dayCount'] : []),
        ...(after.reviewPercent < before.reviewPercent ? ['reviewPercent'] : []),
      ],
    }),
  ).toEqual(NO_GAIN);
});

describe('one person loosens no setting', () => {
  /** A setting of each kind of guard. */
  const samples = [...new Map(Object.entries(settingGuards).map(([key, guard]) => [guard, key])).entries()];
  const value = { num: ['0', '1', '5', '20'], state: [0, 1, 2], str: ['', 'x'] } as const;
  const parts: Readonly<Record<string, readonly (keyof typeof value)[]>> = {
    policy: ['num', 'state'],
    on: ['state'],
    off: ['state'],
    any: [],
  };

  test.each(samples)('%s: %s', (guard, key) => {
    const setting = { key: [key], ...value };
    expect(
      playAlone<Setting, Partial<Setting>>({
        start: recordOf<Setting>(setting),
        move: fieldChange<Setting>(setting),
        apply: merge,
        loosens: (before, after) => loosensSetting(key, before, after),
        gains: (before, after) => [
          ...(isLooserSetting(before, after, [{ key: key.replace(/^\w+\./, 'policy.'), num: '1', state: 1, str: '' }])
            ? [key]
            : []),
          ...fieldsWhere(before, after, (field) => field !== 'key' && !(parts[guard] ?? ['num']).includes(field)),
        ],
      }),
    ).toEqual(NO_GAIN);
  });

  test('also not by a policy and the limit of a branch that is a multiple of it', () => {
    type Pair = Record<'policy' | 'branch', Setting>;
    const [policy, branch]: [SettingKey, SettingKey] = ['policy.asset.active', `${BRANCH_LIMIT_PREFIX}asset.active`];
    const start = (key: string) => recordOf<Setting>({ key: [key], ...value });
    const reach = (pair: Pair) => Number(pair.branch.num) || Number(pair.policy.num) * BRANCH_MULTIPLE;
    const change = fieldChange<Setting>({ key: [''], num: value.num, state: value.state, str: [''] });
    expect(
      playAlone<Pair, { name: keyof Pair; change: Partial<Setting> }>({
        start: fc.record({ policy: start(policy), branch: start(branch) }),
        move: fc.record({ name: fc.constantFrom('policy', 'branch'), change }),
        apply: (pair, { name, change: { key: _key, ...changed } }) => ({ ...pair, [name]: merge(pair[name], changed) }),
        loosens: (before, after, { name }) => loosensSetting(before[name].key, before[name], after[name]),
        gains: (before, after) => [
          ...(Number(after.policy.num) > Number(before.policy.num) ? ['amount per user'] : []),
          ...(reach(after) > reach(before) ? ['amount per branch'] : []),
        ],
      }),
    ).toEqual(NO_GAIN);
  });
});

test('one person adds no right to a key of the gateway', () => {
  const addresses = [
    [],
    ['10.0.0.0/8'],
    ['10.1.0.0/16', '::/0'],
    ['10.1.2.3', '0.0.0.0/0'],
    ['2001:db8::/32'],
    ['::1'],
  ];
  const samples = [
    '10.1.2.3',
    '10.1.9.9',
    '10.9.9.9',
    '192.0.2.1',
    '2001:db8::1',
    '2001:db9::1',
    '::1',
    '::ffff:10.1.2.3',
  ];
  type IsAllowed = (address: string) => boolean;
  const gainedAddresses = (before: IsAllowed, after: IsAllowed): string[] =>
    samples.filter((address) => after(address) && !before(address));
  const terms: { [K in keyof KeyTerms]: readonly KeyTerms[K][] } = {
    name: ['wallet', 'prices'],
    rights: [[], ['a'], ['b'], ['a', 'b']],
    addresses,
    expiresAt: [null, 1, 2, 3],
    nonce: [0, 1],
  };
  expect(
    playAlone<KeyTerms, Partial<KeyTerms>>({
      start: recordOf(terms),
      move: fieldChange(terms),
      apply: merge,
      loosens: loosensKey,
      gains: (before, after) => [
        ...after.rights.filter((right) => !before.rights.includes(right)),
        ...gainedAddresses(addressTest(before.addresses), addressTest(after.addresses)),
        ...((after.expiresAt ?? Infinity) > (before.expiresAt ?? Infinity) ? ['time'] : []),
        ...(after.nonce < before.nonce ? ['replays'] : []),
        ...(after.name === before.name ? [] : ['name']),
      ],
    }),
  ).toEqual(NO_GAIN);
});

test('one person gives no market to a platform', () => {
  const terms: { [K in keyof PlatformTerms]: readonly PlatformTerms[K][] } = {
    name: ['main', 'test'],
    markets: [null, [], ['BTC'], ['ETH'], ['BTC', 'ETH']],
  };
  const serves = ({ markets }: PlatformTerms, market: string) => markets === null || markets.includes(market);
  expect(
    playAlone<PlatformTerms, Partial<PlatformTerms>>({
      start: recordOf(terms),
      move: fieldChange(terms),
      apply: merge,
      loosens: loosensPlatform,
      gains: (before, after) => [
        ...['BTC', 'ETH', 'SOL'].filter((market) => serves(after, market) && !serves(before, market)),
        ...(after.name === before.name ? [] : ['name']),
      ],
    }),
  ).toEqual(NO_GAIN);
});

test('one person lets no address pass', () => {
  const ADDRESSES = ['a', 'b', 'c'];
  type Lists = Record<number, readonly string[]>;
  const set = fc.subarray(ADDRESSES);
  const kinds = Object.values(ADDRESS_LIST);
  expect(
    playAlone<Lists, { list: number; entries: readonly string[] }>({
      start: fc.record({ 1: set, 2: set, 3: set }),
      // One entry more or less, or a file.
      move: fc.record({ list: fc.constantFrom(...kinds), entries: set }),
      apply: (lists, { list, entries }) => ({ ...lists, [list]: entries }),
      loosens: (before, after, { list }) => {
        const [old, now] = [before[list] ?? [], after[list] ?? []];
        const added = now.filter((address) => !old.includes(address)).length;
        return loosensList(list, { added, removed: old.filter((address) => !now.includes(address)).length });
      },
      gains: (before, after) =>
        ADDRESSES.filter((address) =>
          kinds.some((list) => {
            const [was, is] = [before, after].map((lists) => (lists[list] ?? []).includes(address));
            return list === ADDRESS_LIST.allowed ? is && !was : was && !is;
          }),
        ),
    }),
  ).toEqual(NO_GAIN);
});

test('one person grants no plans', () => {
  const accounts = fc.subarray(['ann', 'Ann', 'bob', 'eve']);
  expect(
    playAlone<string[], string[]>({
      start: accounts,
      move: accounts,
      apply: (_before, after) => after,
      loosens: loosensGrants,
      gains: (before, after) => after.filter((one) => !before.some((had) => had.toLowerCase() === one.toLowerCase())),
    }),
  ).toEqual(NO_GAIN);
});

test('one person lets trading go on at no price at which it was halted', () => {
  type Band = Parameters<typeof loosensBand>[0];
  type Save = Pick<PriceProtectionSave, 'planState' | 'minPrice' | 'maxPrice' | 'planMinute'>;
  const band = { minPrice: ['1', '5', '9'], maxPrice: ['11', '15', '20'], planMinute: [1, 10, 30] } as const;
  const halts = ({ watched, minPrice, maxPrice }: Band, price: number): boolean =>
    watched === 1 && minPrice !== null && maxPrice !== null && (price < Number(minPrice) || price > Number(maxPrice));
  expect(
    playAlone<Band, Save>({
      start: fc.oneof(
        recordOf<Band>({ ...band, watched: [0, 1] }),
        fc.constant({ watched: 0 as const, minPrice: null, maxPrice: null, planMinute: 15 }),
      ),
      move: recordOf<Save>({ ...band, planState: [0, 1] }),
      apply: (_before, { planState, ...saved }) => ({ ...saved, watched: planState }),
      loosens: (before, after) => loosensBand(before, after),
      gains: (before, after) => [
        ...[0, 3, 7, 10, 13, 17, 25].filter((price) => halts(before, price) && !halts(after, price)).map(String),
        ...(before.watched === 1 && after.planMinute < before.planMinute ? ['minutes'] : []),
      ],
    }),
  ).toEqual(NO_GAIN);
});

test('one person loosens no market', () => {
  const network = { network: 'TRC20', recharge: 1, withdraw: 1, fee: '1', explorer: '' } as const;
  type Terms = Pick<
    MarketRow,
    'withdrawMin' | 'withdrawMax' | 'withdrawFee' | 'withdrawState' | 'future' | 'maxLeverage' | 'networks'
  > & { state: 0 | 1 | 2 };
  const terms: { [K in keyof Terms]: readonly Terms[K][] } = {
    withdrawMin: ['0', '1', '1.0'],
    withdrawMax: ['0', '5', '10'],
    withdrawFee: ['0', '1'],
    withdrawState: [0, 1],
    future: [0, 1],
    maxLeverage: [1, 20],
    networks: [
      [],
      [network],
      [{ ...network, withdraw: 0 }],
      [{ ...network, fee: '2' }],
      [{ ...network, family: 'evm' }],
      [network, { ...network, network: 'x' }],
    ],
    state: [0, 1, 2],
  };
  // Fields that are the same before and after; the comparison reads only those that are saved.
  const rowOf = (state: Terms) => state as unknown as MarketRow & Terms;
  const opens = ({ networks }: Terms): string[] =>
    networks.filter(({ withdraw }) => withdraw === 1).map((one) => one.network);
  expect(
    playAlone<Terms, Partial<Terms>>({
      start: recordOf(terms),
      move: fieldChange(terms),
      apply: merge,
      loosens: (before, after) => loosensMarket(rowOf(before), rowOf(after)),
      gains: (before, after) => [
        ...(['withdrawMin', 'withdrawMax', 'withdrawFee'] as const).filter(
          (name) => Number(after[name]) !== Number(before[name]),
        ),
        ...(['withdrawState', 'future'] as const).filter((name) => after[name] > before[name]),
        ...(after.maxLeverage === before.maxLeverage ? [] : ['leverage']),
        ...(after.state === 1 && before.state !== 1 ? ['state'] : []),
        ...opens(after).filter((name) => !opens(before).includes(name)),
        ...after.networks
          .filter((is) => before.networks.some((was) => was.network === is.network && was.family !== is.family))
          .map((one) => `family of ${one.network}`),
      ],
    }),
  ).toEqual(NO_GAIN);
});

test('one person changes no setting of binary contracts, but turns it off', () => {
  type Terms = Omit<BinaryContractConfigSettings, 'sort'>;
  const terms: { [K in keyof Terms]: readonly Terms[K][] } = {
    marketId: [0, 1],
    seconds: [60, 120],
    payoutRate: ['80', '80.0', '90'],
    minAmount: ['0', '5'],
    maxAmount: ['0', '5'],
    state: [0, 1],
  };
  expect(
    playAlone<Terms, Partial<Terms>>({
      start: recordOf(terms),
      move: fieldChange(terms),
      apply: merge,
      loosens: loosensConfig,
      gains: (before, after) =>
        fieldsWhere(before, after, (field) =>
          field === 'state' ? after.state === 1 : Number(before[field]) !== Number(after[field]),
        ),
    }),
  ).toEqual(NO_GAIN);
});
