import { expect, test } from 'vitest';
import { addressTest, parseNetwork, widensNetworks } from './networks.ts';

test.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::/32', '::1', '::/0'])('%s is a network', (text) => {
  expect(parseNetwork(text)).toBeDefined();
});

test.each([
  '',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '::/129',
  'fe80::1%eth0',
  'a.example',
  '::ffff:1.2.3.4',
])('%j is none', (text) => {
  expect(parseNetwork(text)).toBeUndefined();
});

test.each([
  [[], '203.0.113.9', true],
  [['10.0.0.0/8'], '10.255.255.255', true],
  [['10.0.0.0/8'], '11.0.0.0', false],
  // An IPv4 client of a server that listens on IPv6.
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:11.1.2.3', false],
  [['10.0.0.7'], '10.0.0.7', true],
  [['10.0.0.7'], '10.0.0.8', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::/32'], '10.0.0.1', false],
  [['::/0'], '2001:db8::1', true],
  [['10.0.0.0/8', '::1'], '0:0:0:0:0:0:0:1', true],
  [['0.0.0.0/0'], 'not an address', false],
] as const)('%j and the address %s: %s', (networks, address, isAllowed) => {
  expect(addressTest(networks)(address)).toBe(isAllowed);
});

test.each([
  [['10.0.0.0/8'], [], true],
  [[], ['10.0.0.0/8'], false],
  [['10.0.0.0/8'], ['10.1.0.0/16', '10.2.3.4'], false],
  [['10.1.0.0/16'], ['10.0.0.0/8'], true],
  [['10.0.0.0/8'], ['10.1.0.0/16', '11.0.0.0/16'], true],
  [['10.0.0.0/8'], ['2001:db8::1'], true],
  [['::/0'], ['10.0.0.1'], true],
  [['2001:db8::/32'], ['2001:db8:1::/48'], false],
] as const)('from %j to %j widens: %s', (before, after, isWider) => {
  expect(widensNetworks(before, after)).toBe(isWider);
});
