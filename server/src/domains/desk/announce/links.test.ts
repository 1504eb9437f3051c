import { expect, test } from 'vitest';
import { cleanHtml } from './clean.ts';
import { foreignLinks, linksOf } from './links.ts';

const hosts = ['good.example', 'help.good.example'];
const foreignIn = (content: string, title = ''): string[] =>
  foreignLinks(linksOf({ title, content: cleanHtml(content) }), hosts);
const linked = (href: string): string => `<p><a href="${href}">x</a></p>`;

test.each([
  'https://good.example/a?b=1&c=2#d',
  'http://GOOD.example:8443/',
  'https://good.example.',
  '/market/BTC',
  'page.html',
  '#top',
  'mailto:desk@good.example',
  'mailto:desk@good.example?subject=a&cc=b@help.good.example',
])('%s is a link of the house', (href) => {
  expect(foreignIn(linked(href))).toEqual([]);
});

test.each([
  'https://evil.example/',
  'https://good.example@evil.example/',
  'https://good.example.evil.example/',
  'https:evil.example',
  'https:\\\\evil.example',
  'https://sub.good.example/',
  'https://g&#1086;od.example/',
  'https://good.example%2eevil.example/',
  'https://[::1]/',
  'mailto:desk@evil.example',
  'mailto:desk@good.example,a@evil.example',
  'mailto:desk@good.example?bcc=a@evil.example',
  'mailto:desk%40evil.example',
  'mailto:',
])('%s is a foreign link', (href) => {
  expect(foreignIn(linked(href))).toHaveLength(1);
});

test('addresses in the text and the title count as links, across elements too', () => {
  expect(foreignIn('<p>see https://evil.example, www.good.example</p>')).toEqual([
    'https://evil.example',
    'www.good.example',
  ]);
  expect(foreignIn('<p>https://<strong>evil</strong>.example</p><p>x</p>')).toEqual(['https://evil.example']);
  expect(foreignIn('<p>x</p>', 'HTTPS://evil.example')).toEqual(['HTTPS://evil.example']);
  expect(foreignIn('<p>https://good.example</p><p>x</p><p>https://good.example。</p>')).toEqual([]);
  // Browsers read the full-width stop as a dot.
  expect(foreignIn('<p>https://good.example。evil.example</p>')).toHaveLength(1);
  expect(foreignIn('<p>BTC/USDT 1.5%: good.example, //evil</p>')).toEqual([]);
});

test('an image of the house is no link', () => {
  const src = `/platform/v1/announcements/image?key=${'0'.repeat(32)}`;
  expect(linksOf({ title: '', content: cleanHtml(`<p><img src="${src}" alt="https"></p>`) })).toEqual([]);
});
