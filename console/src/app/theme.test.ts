import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { dark, light } from './theme.ts';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
/** A QR code is black on white in both themes; the signing page imports nothing of the console's styles. */
const WITH_OWN_COLOURS = ['domains/house/security/security.css', 'signing/signing.css'];

const css = readFileSync(join(SOURCES, 'ui/page/theme.css'), 'utf8');

/** The variables of the rule with exactly this selector. */
function variablesOf(selector: string): Record<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const body = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
  return Object.fromEntries(
    [...body.matchAll(/--ht-([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name as string, value as string]),
  );
}

const SAME = {
  colorPrimary: 'accent',
  colorInfo: 'accent',
  colorError: 'danger',
  colorSuccess: 'ok',
  colorWarning: 'warn',
  colorText: 'text',
  colorTextSecondary: 'text-2',
  colorTextTertiary: 'faint',
  colorTextDescription: 'faint',
  colorBgLayout: 'bg',
  colorBorder: 'border-strong',
  colorBorderSecondary: 'border',
  controlItemBgActive: 'accent-soft',
} as const;

describe('the theme of the UI kit', () => {
  it.each([
    ['light', light, variablesOf(':root')],
    ['dark', dark, variablesOf(":root[data-theme='dark']")],
  ])('has the colours of theme.css in the %s theme', (_name, tokens, variables) => {
    for (const [token, variable] of Object.entries(SAME)) {
      expect([token, tokens[token as keyof typeof SAME]]).toEqual([token, variables[variable]]);
    }
  });
});

describe('theme.css', () => {
  it('defines every variable that the style sheets use', () => {
    const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
    const all = sheets.map((name) => readFileSync(join(SOURCES, name), 'utf8')).join('\n');
    const defined = new Set([...all.matchAll(/(--ht-[\w-]+):/g)].map(([, name]) => name));
    const used = [...all.matchAll(/var\((--ht-[\w-]+)\)/g)].map(([, name]) => name);
    expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
  });

  it('is the only place of colours', () => {
    const others = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.css') && !name.endsWith('theme.css') && !WITH_OWN_COLOURS.includes(name),
    );
    const colours = others.flatMap((name) =>
      [...readFileSync(join(SOURCES, name), 'utf8').matchAll(/#[0-9a-f]{3,8}\b/g)].map(
        ([colour]) => `${name} ${colour}`,
      ),
    );
    expect(colours).toEqual([]);
  });
});

/** Relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replaceAll(/[0-9a-f]/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('the colours of charts', () => {
  const series = ['series-1', 'series-2', 'series-3', 'series-4'];
  it.each([
    ['light', variablesOf(':root')],
    ['dark', variablesOf(":root[data-theme='dark']")],
  ])(
    'stand out from the surface, and parts of a whole from each other in greyscale, in the %s theme',
    (_name, colours) => {
      const of = (name: string): string => colours[name] ?? '';
      for (const name of [...series, 'accent', 'warn', 'green', 'red']) {
        expect([name, contrast(of(name), of('surface')) >= 3]).toEqual([name, true]);
      }
      const steps = series.slice(1).map((name, index) => contrast(of(name), of(series[index] ?? '')));
      expect(Math.min(...steps)).toBeGreaterThan(1.4);
    },
  );
});
