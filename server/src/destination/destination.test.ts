import type { DestinationFault, Family } from '@hengtai/contract/values/destination';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base58xrp, bech32 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { type DestinationInput, readEverywhere, readDestination, toBeneficiary } from './destination.ts';

const EVM = '0x24f0Dd84D0d827F078576052a2083E2DA06778F3';
const LEGACY = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const TRON = 'TDLXsaay7iXjPdEwjqP8sdQURrzEaxXfhy';
const TON = 'EQCmlrev8BGs9-C_e-IaurrF_ESPAWjN8Pc0aaL9Z_n-XRdo';
const GENESIS_HASH = '62e907b15cbf27d5425399ebf6f0fb50ebb88f18';

/** An X-address whose flag says how its tag is written: 0 none, 1 as 32 bits. */
function xAddressWith(flag: number): string {
  const bytes = Uint8Array.of(0x05, 0x44, ...new Uint8Array(20).fill(7), flag, ...new Uint8Array(8));
  return base58xrp.encode(Uint8Array.of(...bytes, ...sha256(sha256(bytes)).subarray(0, 4)));
}

/** An address of Cardano before Shelley, and the same with another byte but the same checksum. */
const BYRON = 'Ae2tdPwUPEZ258FfDwNKpNqAvDyNAQCrHVJHpqDJqsuTUAaRCAe5qmshbp8';
const changedByron = base58.decode(BYRON);
changedByron[20] = (changedByron[20] ?? 0) ^ 1;

/** A key without a stake part. */
const CARDANO = Uint8Array.of(0x61, ...new Uint8Array(28).fill(7));
const CARDANO_TEXT = bech32.encodeFromBytes('addr', CARDANO);

const keyOf = (network: string, address: string): string => readDestination({ network, address }).key;
const faultsOf = (input: DestinationInput): readonly DestinationFault[] => readDestination(input).faults;

describe('an account', () => {
  test('is its output script, hash or bytes, behind the family', () => {
    expect(keyOf('BTC', LEGACY)).toBe(`bitcoin:76a914${GENESIS_HASH}88ac`);
    expect(keyOf('ERC20', EVM)).toBe(`evm:${EVM.slice(2).toLowerCase()}`);
    expect(keyOf('BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
      'bitcoin:0014751e76e8199196d454941c45d1b3a323f1433bd6',
    );
  });

  test('has one key on all networks of its family', () => {
    expect(new Set(['ERC20', 'Polygon', 'bsc', 'Arbitrum One'].map((network) => keyOf(network, EVM))).size).toBe(1);
  });

  test('has the family that the market sets, before that of the name', () => {
    const read = readDestination({ network: 'Own Chain', family: 'evm', address: EVM.toLowerCase() });
    expect(read).toMatchObject({ family: 'evm', key: keyOf('ERC20', EVM), faults: [] });
  });

  test('of an unknown network is the exact text', () => {
    const read = readDestination({ network: 'ZEC', address: ' t1Abc ' });
    expect(read).toMatchObject({ family: 'opaque', key: 'opaque:t1Abc', address: 't1Abc', faults: [], owners: [] });
    expect(keyOf('ZEC', 't1abc')).not.toBe(read.key);
  });

  test('of a text that its family cannot read is the exact text, and a fault', () => {
    const read = readDestination({ network: 'ERC20', address: 'vitalik.eth' });
    expect(read).toMatchObject({ family: 'evm', key: 'opaque:vitalik.eth', faults: ['unreadable'] });
  });

  test('is paid as typed, but for a link', () => {
    expect(readDestination({ network: 'ERC20', address: ` ${EVM.toUpperCase()}` }).address).toBe(EVM.toUpperCase());
    expect(readDestination({ network: 'BTC', address: `bitcoin:${LEGACY}?amount=1` }).address).toBe(LEGACY);
  });
});

describe('a number of Hedera', () => {
  test.each(['0.0.123', '0.0.0123', '123', `0x${'0'.repeat(38)}7b`, `0.0.${'0'.repeat(38)}7b`])(
    'is read from %s',
    (text) => {
      expect(readDestination({ network: 'HBAR', address: text })).toMatchObject({ key: 'hedera:0.0.123', faults: [] });
    },
  );

  test('is not that of another shard or realm', () => {
    expect(new Set(['0.0.123', '0.1.123', '1.0.123'].map((text) => keyOf('HBAR', text))).size).toBe(3);
  });
});

/** Texts that are one account to somebody, and are not, or not without a fault. */
const FAULTY: [what: string, network: string, address: string, fault: DestinationFault, sameAs?: string][] = [
  ['a wrong checksum', 'ERC20', EVM.replace('Dd', 'dD'), 'checksum', EVM],
  ['a wrong checksum without 0x', 'ERC20', EVM.replace('Dd', 'dD').slice(2), 'checksum', EVM],
  ['base58 in another case', 'BTC', LEGACY.toLowerCase(), 'unreadable'],
  ['MWEB', 'LTC', `ltcmweb1${'q'.repeat(100)}`, 'unreadable'],
  ['bech32 in mixed case', 'BTC', 'bc1qw508D6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'unreadable'],
  ['version 0 with the checksum of version 1', 'BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'unreadable'],
  ['an address of Litecoin', 'BTC', 'LdpHdnWJFYo3cx3kzTkxyB1RCc6ecuJ6GP', 'unreadable'],
  ['the 20 bytes of TRON alone', 'TRC20', EVM, 'prefix', TRON],
  ['base58 of TRON in lower case', 'TRC20', TRON.toLowerCase(), 'unreadable'],
  ['a wrong checksum of TON', 'TON', TON.replace('XRdo', 'XRdp'), 'unreadable'],
  ['a wrong checksum of Hedera', 'HBAR', '0.0.123-aaaaa', 'checksum', '0.0.123'],
  ['a number of Hedera above all', 'HBAR', '0.0.9223372036854775808', 'unreadable'],
  ['a key of Stellar in lower case', 'XLM', 'gdno2fn2z3bob4vpr3zs4x7zqdfmz2xzy2aeub42rvuc5wmep7d6ouda', 'unreadable'],
  ['a secret of XRP', 'XRP', 'sn3nxiW7v8KXzPzAqzyHXbSSKNuN9', 'unreadable'],
  ['an X-address with a tag of 64 bits', 'XRP', xAddressWith(2), 'unreadable'],
  ['a wrong checksum of Cardano before Shelley', 'ADA', base58.encode(changedByron), 'unreadable'],
  ['a name of NEAR of 65 characters', 'NEAR', 'a'.repeat(65), 'unreadable'],
  ['a name of NEAR of one character', 'NEAR', 'a', 'unreadable'],
  ['31 bytes of Solana', 'SOL', '1'.repeat(31), 'unreadable'],
  ['a name of NEAR in upper case', 'NEAR', 'Alice.near', 'unreadable'],
  ['a name of EOS with a character that it has not', 'EOS', 'alice6', 'unreadable'],
  ['a prefix that Cardano has not', 'ADA', bech32.encodeFromBytes('ada', CARDANO), 'prefix', CARDANO_TEXT],
  [
    'the test prefix of Cardano with main bytes',
    'ADA',
    bech32.encodeFromBytes('addr_test', CARDANO),
    'prefix',
    CARDANO_TEXT,
  ],
  ['29 bytes of Cardano that are no address', 'ADA', bech32.encodeFromBytes('addr', new Uint8Array(29)), 'unreadable'],
  ['Filecoin in upper case', 'FIL', 'F01234', 'unreadable'],
];

describe('a faulty text', () => {
  test.each(FAULTY)('%s', (_, network, address, fault, sameAs) => {
    const read = readDestination({ network, address });
    expect({ faults: read.faults, key: read.key }).toEqual({
      faults: [fault],
      key: sameAs === undefined ? `opaque:${address}` : keyOf(network, sameAs),
    });
  });
});

const DIFFERENT: [what: string, network: string, a: string, b: string][] = [
  ['key hash and script hash', 'BCH', LEGACY, 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ['base58 of other letters', 'BTC', LEGACY, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['workchains', 'TON', `0:${'ab'.repeat(32)}`, `-1:${'ab'.repeat(32)}`],
  ['a named and an implicit account', 'NEAR', 'alice.near', 'ab'.repeat(32)],
  ['implicit accounts of a key and of EVM', 'NEAR', 'ab'.repeat(20), `0x${'ab'.repeat(20)}`],
  ['an EVM alias and a number', 'HBAR', `0x${'ab'.repeat(20)}`, '0.0.123'],
  ['an EVM account and a number', 'FIL', `0x${'ab'.repeat(20)}`, 'f01234'],
  ['a long-zero address and another number', 'HBAR', `0x${'0'.repeat(38)}7b`, '0.0.124'],
];

test('an X-address without a tag is the classic address, whatever memo is given with it', () => {
  const [without, tagged] = [0, 1].map((flag) => readDestination({ network: 'XRP', address: xAddressWith(flag) }));
  expect(without).toMatchObject({ memo: '', faults: [] });
  expect(tagged).toMatchObject({ key: without?.key, memo: '0', memoKey: '0', faults: [] });
  const given = readDestination({ network: 'XRP', address: xAddressWith(0), memo: '7' });
  expect(given).toMatchObject({ key: without?.key, memoKey: '7', faults: [] });
});

describe('two accounts', () => {
  test.each(DIFFERENT)('%s', (_, network, a, b) => {
    expect([faultsOf({ network, address: a }), faultsOf({ network, address: b })]).toEqual([[], []]);
    expect(keyOf(network, a)).not.toBe(keyOf(network, b));
  });
});

describe('a text of another network', () => {
  const prefixed = (prefix: string): string => `${prefix}${EVM.slice(2)}`;

  test.each([
    ['XDC', prefixed('xdc'), []],
    ['Ronin', prefixed('ronin:'), []],
    ['ERC20', prefixed('xdc'), ['other_network']],
    ['XDC', prefixed('ronin:'), ['other_network']],
    ['XDC', EVM, []],
  ])('of EVM on %s: %s has the marks %j and the key of all', (network, address, marks) => {
    expect(readDestination({ network, address })).toMatchObject({ key: keyOf('ERC20', EVM), faults: [], marks });
  });

  test('of Cosmos is another account, related to its own', () => {
    const [own, other] = [
      'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a',
      'osmo1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmcn030',
    ].map((address) => readDestination({ network: 'ATOM', address }));
    expect([own?.marks, other?.marks]).toEqual([[], ['other_network']]);
    expect(own?.owners).toEqual(other?.owners);
    expect(own?.key).not.toBe(other?.key);
  });
});

describe('a beneficiary', () => {
  const XRP = 'rhns93MUvAKv1CfKfzTQ48eZMKNMhdAWW8';
  const read = (memo?: string) => readDestination({ network: 'XRP', address: XRP, memo });

  test('is an account and a memo', () => {
    expect(new Set([read(), read(''), read(' ')].map((one) => one.beneficiary)).size).toBe(1);
    expect(new Set([read(), read('0'), read('7'), read('8')].map((one) => one.beneficiary)).size).toBe(4);
    expect(read('7').beneficiary).toBe(read('007').beneficiary);
    expect(read('7')).toMatchObject({ memoKey: '7', beneficiary: toBeneficiary(read().key, '7') });
  });

  test('does not depend on a memo where there are none', () => {
    const onEvm = (memo: string) => readDestination({ network: 'ERC20', address: EVM, memo });
    expect(onEvm(' 7 ')).toEqual({ ...onEvm(''), memo: '7' });
  });

  test('with a memo that the family cannot carry is a fault', () => {
    expect(read('seven').faults).toEqual(['memo_format']);
    expect(read('7').faults).toEqual([]);
  });

  test('cannot be made to look like another by the texts of its parts', () => {
    expect(toBeneficiary('opaque:a', 'b')).not.toBe(toBeneficiary('opaque:a","b', ''));
    expect(toBeneficiary('opaque:a', 'b c')).not.toBe(toBeneficiary('opaque:a b', 'c'));
  });
});

describe('what a text names on every network', () => {
  test.each<[string, Family[]]>([
    [LEGACY, ['bitcoin', 'bitcoincash', 'opaque']],
    ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', ['bitcoin', 'bitcoincash', 'litecoin', 'opaque']],
    [EVM.toLowerCase(), ['evm', 'tron', 'aptos', 'sui', 'near', 'filecoin', 'hedera', 'opaque']],
    [TON, ['ton', 'opaque']],
    ['0.0.123', ['near', 'hedera', 'opaque']],
    [`bitcoin:${LEGACY}`, ['bitcoin', 'opaque']],
    ['无', ['opaque']],
  ])('%s', (text, expected) => {
    expect(readEverywhere(text).map(({ family }) => family)).toEqual(expected);
  });

  test('has the memo that is given, as each family compares it', () => {
    const [xrp, opaque] = readEverywhere('rhns93MUvAKv1CfKfzTQ48eZMKNMhdAWW8', '007');
    expect([xrp, opaque]).toMatchObject([
      { family: 'xrp', memoKey: '7' },
      { family: 'opaque', memoKey: '' },
    ]);
  });

  test('has the keys of records on networks of these families', () => {
    const keys = readEverywhere(EVM.toLowerCase()).map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([keyOf('BSC', EVM), keyOf('TRC20', TRON), keyOf('FIL', EVM)]));
    expect(keys).toContain(keyOf('ZEC', EVM.toLowerCase()));
  });
});
