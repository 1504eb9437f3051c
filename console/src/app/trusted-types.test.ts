import { expect, test } from 'vitest';
import { createHTML } from './trusted-types.ts';

test('accepts text without markup and rejects everything else', () => {
  expect(createHTML('.a > .b { content: "x"; }')).toBe('.a > .b { content: "x"; }');
  for (const markup of ['<b>x</b>', '<!-- -->', 'a <', '</style><script>alert(1)</script>']) {
    expect(() => createHTML(markup)).toThrow(TypeError);
  }
});
