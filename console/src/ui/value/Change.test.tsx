import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Change } from './Change.tsx';

test.each([
  ['1.2345', 'up', '▲', '+1.23%'],
  ['-3', 'down', '▼', '-3%'],
  ['0.0000', 'flat', '', '0%'],
  ['1234.5', 'up', '▲', '+1,234.5%'],
])('formats a change of %s', (value, way, arrow, text) => {
  const html = renderToStaticMarkup(<Change value={value} />);
  expect(html).toContain(`data-way="${way}"`);
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe(arrow + text);
});

test('shows -- for an unknown change', () => {
  expect(renderToStaticMarkup(<Change value={null} />)).toContain('--');
});
