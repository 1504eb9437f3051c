import { expect, test } from 'vitest';
import type { Line, Lines } from './four-eyes-lines.ts';
import { findLooserLine } from './four-eyes-reach.ts';
import { type SignedResult, findUnsigned } from './four-eyes-signed.ts';

const terms = {
  withdrawState: 1,
  singleMin: '1',
  singleMax: '1000',
  dayAmount: '0',
  dayCount: 0,
  feeFixed: '1',
  feeRate: null,
};
const closed = { ...terms, withdrawState: 0 };
const budget = {
  on: false,
  dayAmount: '100',
  dayCount: 5,
  userDayAmount: '50',
  largestUnverified: '0',
  largestBasic: '10',
  largestAdvanced: '50',
  firstByHand: true,
  reviewPercent: 10,
  running: true,
};
const key = {
  platformId: 1,
  name: 'wallet',
  rights: ['tick'],
  addresses: ['10.0.0.0/8'],
  expiresAt: 10,
  nonce: 1,
};
const setting = (name: string, num: string, state: number): Line => ({ key: name, num, state, str: '' });

const house: Lines = {
  'config:1': setting('policy.asset.active', '10000', 1),
  'config:2': setting('branchLimit.asset.active', '0', 0),
  'config:3': setting('twoCheckers.asset.active', '50000', 0),
  'limit:1:0:-': closed,
  'limit:1:0:7': { ...closed, singleMax: '500' },
  'userGroup:7': { name: 'watched', forAgents: false },
  'use:7': { members: 0, terms: true },
  'userGroup:8': { name: 'empty', forAgents: false },
  'use:8': { members: 0, terms: false },
  'limit:1:0:8': closed,
  'userGroup.member:4': { groupId: 7 },
  'autoPayout:1': budget,
  'gatewayKey:1': key,
  'gatewayPlatform:1': { name: 'main', markets: ['BTC'] },
  'plan:1:1': { watched: 1, minPrice: '5', maxPrice: '15', planPrice: '10', planMinute: 10 },
  'rule:1': { name: 'r', state: 2, conditions: [], actions: {}, unknownHits: false },
  'address:2::a': { list: 2, address: 'a', network: '', expiresAt: 10 },
  'address:1::b': { list: 1, address: 'b', network: '', expiresAt: null },
  'market:1': { state: 1, spot: 0, withdrawMax: '5000', networks: [{ network: 'TRC20', withdraw: 1, recharge: 0 }] },
};

const changeOf = (line: string, fields: Line): Lines => ({ ...house, [line]: { ...house[line], ...fields } });
const withoutLine = (line: string): Lines =>
  Object.fromEntries(Object.entries(house).filter(([other]) => other !== line));
const BLOCKED = 'address:1::b';

test.each<[string, Lines]>([
  ['the amount of a policy that asks always', changeOf('config:1', { num: '10001' })],
  ['a branch limit above its multiple', changeOf('config:2', { num: '100001' })],
  ['two checkers from 0 on', changeOf('config:3', { num: '0' })],
  ['a closed level', changeOf('limit:1:0:-', { singleMax: '50000' })],
  ['a closed level that is opened', changeOf('limit:1:0:-', { withdrawState: 1 })],
  ['a closed pair without a limit', changeOf('limit:1:0:7', { singleMax: '0' })],
  ['another fee', changeOf('limit:1:0:-', { feeFixed: '0.5' })],
  ['a lower fee than none', changeOf('limit:1:0:-', { feeRate: '0' })],
  ['a group with terms under another name', changeOf('userGroup:7', { name: 'gold' })],
  ['a group for agents', changeOf('userGroup:7', { forAgents: true })],
  ['a group that is gone', withoutLine('limit:1:0:7')],
  ['a group that adds to its level', { ...house, 'limit:1:0:9': { ...closed, singleMax: '2000' } }],
  ['a user out of its group', changeOf('userGroup.member:4', { groupId: null })],
  ['a budget that is off', changeOf('autoPayout:1', { largestBasic: '11' })],
  ['a first budget', { ...house, 'autoPayout:2': budget }],
  ['a key for more networks', changeOf('gatewayKey:1', { addresses: ['10.0.0.0/7'] })],
  ['a key for ever', changeOf('gatewayKey:1', { expiresAt: null })],
  ['a key under another name', changeOf('gatewayKey:1', { name: 'prices' })],
  ['a platform with every market', changeOf('gatewayPlatform:1', { markets: null })],
  ['a wider band', changeOf('plan:1:1', { maxPrice: '15.1' })],
  ['a rule in effect', changeOf('rule:1', { conditions: [1] })],
  ['an address that is no longer blocked', withoutLine(BLOCKED)],
  ['an address that is allowed', { ...house, 'address:2::c': { list: 2, address: 'c', network: '', expiresAt: 10 } }],
  ['a market with a higher limit', changeOf('market:1', { withdrawMax: '0' })],
  ['a market with other networks', changeOf('market:1', { networks: [] })],
  [
    'a network of another family',
    changeOf('market:1', { networks: [{ network: 'TRC20', withdraw: 1, recharge: 0, family: 'evm' }] }),
  ],
])('finds %s', (_what, after) => {
  expect(findLooserLine(house, after)).toBeDefined();
});

test.each<[string, Lines]>([
  ['nothing', { ...house }],
  ['another spelling', changeOf('limit:1:0:-', { singleMax: '1000.000000000000000000' })],
  ['tighter terms', changeOf('limit:1:0:7', { singleMin: '2', singleMax: '499', dayAmount: '10' })],
  ['a tighter policy', changeOf('config:1', { num: '9999' })],
  ['a key for less', changeOf('gatewayKey:1', { addresses: ['10.1.0.0/16'], rights: [], expiresAt: 9 })],
  ['an allowed address that is removed', withoutLine('address:2::a')],
  ['a group without terms and users under another name', changeOf('userGroup:8', { name: 'x' })],
])('accepts %s', (_what, after) => {
  expect(findLooserLine(house, after)).toBeUndefined();
});

const asked = { str: '', num: '10000', state: 2 };

test.each<[string, Lines, SignedResult]>([
  ['an amount that was raised behind it', changeOf('config:1', { state: 2, num: '9999999999' }), { 'config:1': asked }],
  [
    'another setting besides',
    { ...changeOf('config:1', asked), 'config:3': setting('twoCheckers.asset.active', '60000', 0) },
    { 'config:1': asked },
  ],
  [
    'the policy behind a limit',
    changeOf('config:1', { num: '20000' }),
    { 'config:2': { num: '0', policy: { num: '10000', state: 1, str: '' } } },
  ],
  ['a record that was signed away', { ...house }, { [BLOCKED]: null }],
  ['a record that was not made', { ...house }, { 'gatewayKey:new:x': { ...key, name: 'x' } }],
  [
    'a second new record',
    { ...house, 'gatewayKey:2': key, 'gatewayKey:3': { ...key, name: 'x' } },
    { 'gatewayKey:new:wallet': key },
  ],
  [
    'terms that a member does not have',
    changeOf('userGroup.member:4', { groupId: null }),
    { 'userGroup.member:4': { groupId: null, terms: { 'limit:1:0:-': { ...closed, singleMax: '900' } } } },
  ],
])('finds that an approval did not sign %s', (_what, after, result) => {
  expect(findUnsigned(house, after, result)).toBeDefined();
});

test.each<[string, Lines, SignedResult]>([
  ['a setting', changeOf('config:1', asked), { 'config:1': asked }],
  ['a removal', withoutLine(BLOCKED), { [BLOCKED]: null }],
  ['a new key', { ...house, 'gatewayKey:2': { ...key, name: 'x' } }, { 'gatewayKey:new:x': { ...key, name: 'x' } }],
  [
    'a new group',
    { ...house, 'userGroup:9': { name: 'x', forAgents: true }, 'limit:1:0:9': closed },
    { 'userGroup:new:x': { name: 'x', forAgents: true } },
  ],
  ['a budget', changeOf('autoPayout:1', { on: true }), { 'autoPayout:1': { budget: { ...budget, on: true } } }],
  [
    'a level with a group that has no terms',
    { ...changeOf('limit:1:0:-', { singleMax: '2' }), 'limit:1:0:8': { ...closed, singleMax: '2' } },
    { 'limit:1:0:-': { ...closed, singleMax: '2' } },
  ],
])('accepts %s as it was signed', (_what, after, result) => {
  expect(findUnsigned(house, after, result)).toBeUndefined();
});
