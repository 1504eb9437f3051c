import { assert, property, string, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCharacter, identityKey, nameKey } from './identity-key.rules.ts';

describe('document numbers', () => {
  test.each([
    ['AB-12 34 567', 'AB1234567'],
    ['ab1234567', 'AB1234567'],
    ['ＡＢ１２３４５６７', 'AB1234567'],
    ['A\u200b123456\u2060(7)\u00ad', 'A1234567'],
    ['A\u2010123.456·7', 'A1234567'],
    ['A1234567\ufe0f\u3164', 'A1234567'],
    // Arabic, Devanagari, Thai, mathematical, and two sets of digits that follow each other.
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['९८७', '987'],
    ['๐๙', '09'],
    ['𝟎𝟗𝟘𝟡', '0909'],
    ['\u{116d0}\u{116d9}\u{116da}\u{116e3}', '0909'],
    ['11010519491231002x', '11010519491231002X'],
    ['11010519491231002×', '11010519491231002X'],
    ['11010519491231002 Х', '11010519491231002X'],
    ['11010519491231002х', '11010519491231002X'],
    ['11010519491231002χ.', '11010519491231002X'],
    ['1×2', '12'],
    // Expanded.
    ['110105491231002', '11010519491231002X'],
    ['110105 491231 002', '11010519491231002X'],
    ['440524001231996', '440524180012319969'],
    // No date, so no resident number.
    ['110105491331002', '110105491331002'],
    ['110105490229002', '110105490229002'],
    ['', ''],
    ['--- ', ''],
    ['×', 'X'],
    ['\u200b', ''],
  ])('%j has the key %j', (number, key) => expect(identityKey(number)).toBe(key));

  test.each(['990', '995', '000'])('the sequence %s is of the twentieth century', (sequence) =>
    expect(identityKey(`440524001231${sequence}`).slice(0, 17)).toBe(`44052419001231${sequence}`),
  );
  test.each(['996', '997', '998', '999'])('the sequence %s is of the nineteenth century', (sequence) =>
    expect(identityKey(`440524001231${sequence}`).slice(0, 17)).toBe(`44052418001231${sequence}`),
  );

  test('a key is its own key', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        const key = identityKey(text);
        expect(identityKey(key)).toBe(key);
      }),
    );
  });

  test('digits and letters are kept, so different numbers have different keys', () => {
    const number = stringMatching(/^[A-Z0-9]{1,14}$/);
    assert(
      property(number, (text) => {
        expect(identityKey(text)).toBe(text);
      }),
    );
  });
});

test('a check character holds by ISO 7064, MOD 11-2', () => {
  const body = stringMatching(/^\d{17}$/);
  assert(
    property(body, (text) => {
      const value = (character: string) => (character === 'X' ? 10 : Number(character));
      let remainder = 0;
      for (const character of text + checkCharacter(text)) remainder = (remainder * 2 + value(character)) % 11;
      expect(remainder).toBe(1);
    }),
  );
});

describe('names', () => {
  test.each([
    ['买买提·艾力', '买买提•艾力'],
    ['买买提·艾力', '买买提・艾力'],
    ['买买提·艾力', '买买提 ‧ 艾力'],
    ['买买提·艾力', '买买提･艾力'],
    ['买买提·艾力', '买买提\u2219\u200b艾力'],
    ['Ada Lovelace', 'ＡＤＡ\u3000\u00a0ＬＯＶＥＬＡＣＥ '],
    ['Ada Lovelace', ' ada  lovelace'],
    ['José', 'JOSE\u0301'],
  ])('%j is the same name as %j', (one, other) => expect(nameKey(other)).toBe(nameKey(one)));

  test.each([
    ['Ada Lovelace', 'AdaLovelace'],
    ['买买提·艾力', '买买提艾力'],
    ['José', 'Jose'],
  ])('%j is another name than %j', (one, other) => expect(nameKey(other)).not.toBe(nameKey(one)));

  test('a name of format characters has no key', () => expect(nameKey('\u200b\u2060 \ufe0f')).toBe(''));
});
