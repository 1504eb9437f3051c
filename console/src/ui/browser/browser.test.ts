import { expect, test } from 'vitest';
import { browserOf } from './browser.ts';

const mozilla = 'Mozilla/5.0';
test.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36`,
    'Chrome 141 · Windows',
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge 141 · Windows',
  ],
  [`${mozilla} (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0`, 'Firefox 142 · Linux'],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    'Safari 18 · macOS',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari 18 · iOS',
  ],
  [
    `${mozilla} (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Chrome 140 · Android',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', '--'],
])('recognizes %s', (userAgent, words) => expect(browserOf(userAgent)).toBe(words));
