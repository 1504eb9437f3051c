import { useMemo, useSyncExternalStore } from 'react';

const tokens = {
  text: '--ht-text',
  label: '--ht-text-2',
  faint: '--ht-faint',
  surface: '--ht-surface',
  raised: '--ht-raised',
  line: '--ht-border',
  strong: '--ht-border-strong',
  hover: '--ht-hover',
  accent: '--ht-accent',
  warn: '--ht-warn',
  series1: '--ht-series-1',
  series2: '--ht-series-2',
  series3: '--ht-series-3',
  series4: '--ht-series-4',
  up: '--ht-up',
  down: '--ht-down',
} as const;

/**
 * Colours of theme.css resolved to values, because a canvas cannot use variables. `up` and `down` follow the price
 * colours.
 */
export type ChartColours = Readonly<Record<keyof typeof tokens, string>> & { font: string };

function subscribe(listener: () => void) {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-prices'] });
  return () => observer.disconnect();
}

const themeKey = () => {
  const { dataset } = document.documentElement;
  return `${dataset['theme']} ${dataset['prices']}`;
};

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const values = Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()]);
  return {
    ...(Object.fromEntries(values) as Record<keyof typeof tokens, string>),
    // A canvas cannot ask for tabular figures, so fonts that have them by default come first.
    font: `'Helvetica Neue', 'Segoe UI', ${getComputedStyle(document.body).fontFamily}`,
  };
}

/** The current colours; updates when theme or price colours change. */
export function useChartColours(): ChartColours {
  const key = useSyncExternalStore(subscribe, themeKey);
  // The colours are read from the document; `key` only signals a change.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(readColours, [key]);
}
