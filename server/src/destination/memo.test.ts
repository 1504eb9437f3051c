import { type Family, families } from '@hengtai/contract/values/destination';
import { describe, expect, test } from 'vitest';
import { toMemoKey } from './memo.ts';

const HASH = 'Ab'.repeat(32);
const same: [Family, string[], string][] = [
  ['xrp', ['7', '007', ' 7\n', '0000000000000000000000007'], '7'],
  ['xrp', ['0', '000'], '0'],
  ['xrp', ['4294967295'], '4294967295'],
  ['stellar', ['7', '007'], 'id:7'],
  ['stellar', ['0'], 'id:0'],
  ['stellar', ['18446744073709551615'], 'id:18446744073709551615'],
  ['stellar', ['18446744073709551616'], 'text:18446744073709551616'],
  ['stellar', [HASH, HASH.toLowerCase(), HASH.toUpperCase()], `hash:${HASH.toLowerCase()}`],
  ['stellar', ['Invoice 7', ' Invoice 7 '], 'text:Invoice 7'],
  ['stellar', ['中'.repeat(9)], `text:${'中'.repeat(9)}`],
  ['monero', ['AB'.repeat(8), 'ab'.repeat(8)], 'ab'.repeat(8)],
  ['monero', [HASH, HASH.toLowerCase()], HASH.toLowerCase()],
  ['ton', ['A b', ' A b\u3000'], 'A b'],
  ['cosmos', ['007'], '007'],
  ['hedera', ['x'], 'x'],
  ['eos', ['Ä'], 'Ä'],
];
const wrong: [Family, string][] = [
  ['xrp', '4294967296'],
  ['xrp', '-1'],
  ['xrp', '1.0'],
  ['xrp', '７'],
  ['xrp', 'seven'],
  ['stellar', '中'.repeat(10)],
  ['stellar', 'x'.repeat(29)],
  ['monero', '7'],
  ['monero', 'ab'.repeat(7)],
  ['monero', 'xy'.repeat(8)],
];

describe('the key of a memo', () => {
  test.each(same)('of %s: %j is %s', (family, memos, key) => {
    expect(memos.map((memo) => toMemoKey(family, memo))).toEqual(memos.map(() => ({ key, isWrong: false })));
  });

  test.each(wrong)('of %s: "%s" cannot be one, and keeps its text', (family, memo) => {
    const { key, isWrong } = toMemoKey(family, memo);
    expect({ isWrong, ends: key.endsWith(memo) }).toEqual({ isWrong: true, ends: true });
  });

  test('is that of none for blanks only, and in families without memos', () => {
    const names = Object.keys(families) as Family[];
    expect(names.filter((family) => toMemoKey(family, ' \u3000').key !== '')).toEqual([]);
    expect(names.filter((family) => toMemoKey(family, 'a').key === '')).toEqual(
      ['evm', 'bitcoin', 'bitcoincash', 'litecoin', 'dogecoin', 'tron', 'solana', 'substrate', 'aptos', 'sui', 'near',
       'cardano', 'filecoin', 'opaque'], // prettier-ignore
    );
  });

  test('tells a tag of zero from none, and kinds of one text from each other', () => {
    expect(toMemoKey('xrp', '0').key).not.toBe(toMemoKey('xrp', '').key);
    const digits = '1'.repeat(64);
    expect(toMemoKey('stellar', digits).key).toBe(`hash:${digits}`);
  });
});
