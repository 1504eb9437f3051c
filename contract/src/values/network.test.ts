import { describe, expect, test } from 'vitest';
import { families, hasMemo } from './destination.ts';
import { NETWORKS, familyOf, findListedNetwork, isTestNetwork, networkKey, prefixOf } from './network.ts';

const SAME = [
  ['TRC20', 'trc-20', 'ＴＲＣ２０', 'TRC 20', 'trc_20', 'Tron', 'TRX', 'Tron (TRC20)', 'TRC20（TRX）'],
  ['ERC20', 'Ethereum', 'eth', 'ERC‐20', 'ERC20 (Ethereum)'],
  ['BEP20', 'BSC', 'BNB Smart Chain (BEP20)', 'Binance Smart Chain'],
  ['BEP2', 'BNB Beacon Chain'],
  ['Solana', 'SOL', 'SPL'],
  ['Bitcoin', 'BTC', 'Omni'],
  ['XRPL', 'Ripple', 'XRP', 'XRP\u00a0Ledger'],
  ['Polygon', 'MATIC', 'POL'],
  ['HyperEVM'],
  ['Hyperliquid', 'HYPE'],
  ['Own Chain', 'own-chain', 'OWN_CHAIN'],
];

describe('the text of a network', () => {
  test('has one key for its spellings and aliases, and another for each other network', () => {
    for (const names of SAME) expect(new Set(names.map(networkKey)).size).toBe(1);
    expect(new Set(SAME.map(([first = '']) => networkKey(first))).size).toBe(SAME.length);
  });

  test('is not another network because two names stand beside each other', () => {
    expect(networkKey('ERC20 (TRC20)')).toBe('erc20(trc20)');
    expect(familyOf('ERC20 (TRC20)')).toBe('opaque');
    expect(familyOf('Own (Chain)')).toBe('opaque');
  });

  test.each([
    ['erc-20', 'evm'],
    ['Arbitrum One', 'evm'],
    ['BRC20', 'bitcoin'],
    ['Bitcoin Cash', 'bitcoincash'],
    ['BEP2', 'cosmos'],
    ['Kusama', 'substrate'],
    ['toncoin', 'ton'],
    ['ZEC', 'opaque'],
    ['DASH', 'opaque'],
    ['', 'opaque'],
  ])('"%s" has the family %s', (network, family) => {
    expect(familyOf(network)).toBe(family);
  });

  test('tells how its own texts begin, and whether it is for tests', () => {
    expect(['Polkadot', 'XinFin', 'Cosmos Hub', 'ERC20'].map(prefixOf)).toEqual(['0', 'xdc', 'cosmos', undefined]);
    expect(['TON Testnet', 'test-net', 'TON', 'Contest'].map(isTestNetwork)).toEqual([true, true, false, false]);
  });
});

describe('the table of networks', () => {
  test('has each name once', () => {
    const keys = NETWORKS.flatMap(
      ([name, , ...aliases]) => new Set([name, ...aliases].map((text) => networkKey(text))).size,
    );
    expect(keys).toEqual(NETWORKS.map(() => 1));
    expect(new Set(NETWORKS.map(([name]) => networkKey(name))).size).toBe(NETWORKS.length);
  });

  test('knows how texts begin where each chain of a family has its own', () => {
    const many = NETWORKS.filter(([, family]) => family === 'cosmos' || family === 'substrate');
    expect(many.filter(([name]) => prefixOf(name) === undefined)).toEqual([]);
  });
});

describe('the listed network that a text means', () => {
  const listed = ['Ethereum', 'ERC20', 'TRC20', 'BEP2', 'Own Chain'];

  test.each([
    ['Ethereum', 'Ethereum'],
    ['ERC20', 'ERC20'],
    ['ethereum', 'Ethereum'],
    ['tron', 'TRC20'],
    ['own-chain', 'Own Chain'],
    ['BEP2', 'BEP2'],
  ])('"%s" is %s', (text, found) => {
    expect(findListedNetwork(listed, text)).toBe(found);
  });

  test.each(['ETH', 'BEP20', 'BSC', 'Solana', ''])('"%s" is none, or could be several', (text) => {
    expect(findListedNetwork(listed, text)).toBeUndefined();
  });
});

test('memos belong to some families only', () => {
  const withMemo = Object.keys(families).filter((family) => hasMemo(family as keyof typeof families));
  expect(withMemo).toEqual(['ton', 'xrp', 'stellar', 'cosmos', 'hedera', 'monero', 'eos']);
});
