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
  idle: '--ht-idle',
  teal: '--ht-teal',
  violet: '--ht-violet',
  up: '--ht-up',
  down: '--ht-down',
} as const;

/** The colours of theme.css as a canvas needs them: as values. `up` and `down` follow the operator's price colours. */
export type ChartColours = Readonly<Record<keyof typeof tokens, string>> & { font: string };

function subscribe(listener: () => void) {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-prices'] });
  return () => observer.disconnect();
}

const look = () => {
  const { dataset } = document.documentElement;
  return `${dataset['theme']} ${dataset['prices']}`;
};

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const values = Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()]);
  return {
    ...(Object.fromEntries(values) as Record<keyof typeof tokens, string>),
    font: getComputedStyle(document.body).fontFamily,
  };
}

/** The colours as they are now, and again when the theme or the price colours change. */
export function useChartColours(): ChartColours {
  const now = useSyncExternalStore(subscribe, look);
  // What is read lies in the document; `now` says when it has changed.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(readColours, [now]);
}
