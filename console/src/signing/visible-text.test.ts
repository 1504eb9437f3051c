import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleParts } from './visible-text.ts';

const shown = (text: string, isCode = false) =>
  visibleParts(text, isCode).map((part) => (part.isHidden ? `<${part.text}>` : part.text)).join(''); // prettier-ignore

test.each([
  ['change of direction', 'TX\u202Egnp', false, 'TX<U+202E>gnp'],
  ['zero width', 'TX\u200B1\uFEFF', false, 'TX<U+200B>1<U+FEFF>'],
  ['line break and tab', 'a\nb\tc', false, 'a<U+000A>b<U+0009>c'],
  ['unusual space', 'a\u00A0b\u3000c', false, 'a<U+00A0>b<U+3000>c'],
  ['spaces that nobody sees', ' a  b ', false, '<U+0020>a <U+0020>b<U+0020>'],
  ['Chinese is text', '张三 abc', false, '张三 abc'],
  ['a Cyrillic letter in an address', 'TХ1', true, 'T<U+0425>1'],
  ['an emoji in an address', 'a😀', true, 'a<U+1F600>'],
  ['a tag character', 'a\u{E0041}', false, 'a<U+E0041>'],
])('%s', (_name, text, isCode, expected) => {
  expect(shown(text, isCode)).toBe(expected);
});

// Faster than the strings of fast-check, which first build a table of all characters.
const character = fc.oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }));
const anyText = fc.array(character, { maxLength: 40 }).map((codes) => String.fromCodePoint(...codes));
// Compiled once, because large classes take a while.
const HIDDEN = /[\p{C}\p{Z}](?<! )/u;

test('no character is lost, and none that is shown as such is invisible', () => {
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, isCode) => {
      const parts = visibleParts(text, isCode);
      const original = parts.map((part) =>
        part.isHidden ? String.fromCodePoint(Number.parseInt(part.text.slice(2), 16)) : part.text,
      );
      expect(original.join('')).toBe(text);
      expect(parts.find((part) => !part.isHidden && HIDDEN.test(part.text))).toBeUndefined();
    }),
  );
});
