import { describe, expect, test } from 'vitest';
import { bareAddress, findRefusedCharacter, trimBlanks } from './text.ts';

describe('a refused character', () => {
  // Format, control and ignorable characters, some of which trim() would cut.
  const invisible = [
    '\u200b',
    '\ufeff',
    '\u202e',
    '\u00ad',
    '\u2066',
    '\u0000',
    '\u007f',
    '\u3164',
    '\ufe0f',
    '\u{e0041}',
  ];

  test.each(invisible)('%j is found in addresses and memos, wherever it is', (character) => {
    const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    for (const field of ['address', 'memo'] as const) {
      expect(findRefusedCharacter(`ab${character}c`, field)).toBe(`${code} at 3`);
      expect(findRefusedCharacter(` ${character}abc`, field)).toBe(`${code} at 1`);
      expect(findRefusedCharacter(`abc${character}`, field)).toBe(`${code} at 4`);
    }
  });

  test.each([' ', '\u00a0', '\u3000', '\u2003'])('%j is one inside an address only', (blank) => {
    expect(findRefusedCharacter(`a${blank}b`, 'address')).toMatch(/^U\+[0-9A-F]{4} at 2$/);
    expect(findRefusedCharacter(`a${blank}b`, 'memo')).toBeUndefined();
    expect(findRefusedCharacter(`${blank}ab${blank}`, 'address')).toBeUndefined();
  });

  test('is counted in characters, not in halves of them', () => {
    expect(findRefusedCharacter('😀\u200b', 'memo')).toBe('U+200B at 2');
  });

  test('is no letter of any script, and none in an empty text', () => {
    expect(['充值 7', 'Ärger', '', '-_+/=:?&'].map((text) => findRefusedCharacter(text, 'memo'))).toEqual(
      Array<undefined>(4).fill(undefined),
    );
  });
});

test('blanks at the ends are cut, format characters are not', () => {
  expect(trimBlanks(' \t\u3000a b\r\n')).toBe('a b');
  expect(trimBlanks('\ufeffa')).toBe('\ufeffa');
  expect([trimBlanks(' \u0085 '), trimBlanks('')]).toEqual(['', '']);
});

describe('a payment link', () => {
  const evm = '0x24f0Dd84D0d827F078576052a2083E2DA06778F3';
  const base58 = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

  test.each([
    ['evm', `ethereum:${evm}`, evm],
    ['evm', `ETHEREUM:${evm}@137?value=1`, evm],
    ['evm', `ethereum:pay-${evm}`, evm],
    ['bitcoin', ` bitcoin:${base58} `, base58],
    ['bitcoin', `bitcoin:${base58}?amount=1&label=a b`, base58],
    ['litecoin', `litecoin:${base58}?amount=1`, base58],
    ['bitcoincash', 'bitcoincash:qabc?amount=1', 'bitcoincash:qabc'],
  ] as const)('of %s, %s, is paid to %s', (family, link, address) => {
    expect(bareAddress(family, link)).toBe(address);
  });

  test.each([
    ['evm', `ethereum:${evm}/transfer?address=${evm}&uint256=1`, 'calls a contract'],
    ['bitcoin', `bitcoin:${base58}?amount=1&req-somewhere=else`, 'demands what is not known'],
    ['bitcoin', `bitcoin:${base58}?req-x=1`, 'demands what is not known'],
    ['bitcoin', `ethereum:${evm}`, 'is of another family'],
    ['opaque', `bitcoin:${base58}`, 'is of another family'],
    ['bitcoin', 'bitcoin:?lightning=lnbc1', 'has no address'],
  ] as const)('of %s stays as typed: %s %s', (family, link, _why) => {
    expect(bareAddress(family, link)).toBe(link);
  });
});
