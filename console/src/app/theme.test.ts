import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dark, light } from './theme.ts';

const css = readFileSync(new URL('../ui/theme.css', import.meta.url), 'utf8');

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
  it('defines every variable of the style sheets', () => {
    const defined = new Set([...css.matchAll(/(--ht-[\w-]+):/g)].map(([, name]) => name));
    expect(defined).toContain('--ht-size-t');
  });
});
