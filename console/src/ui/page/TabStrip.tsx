import './tab-strip.css';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface StripTab<K extends string> {
  key: K;
  title: string;
  /** Icon after the title. */
  mark?: ReactNode;
}

interface Props<K extends string> {
  label: string;
  tabs: readonly StripTab<K>[];
  current: K;
  onChange: (key: K) => void;
  /** Content of the current tab. */
  children: ReactNode;
}

/** Tabs inside a drawer; arrow keys, Home and End move between them. */
export function TabStrip<K extends string>({ label, tabs, current, onChange, children }: Props<K>) {
  const id = useId();
  const strip = useRef<HTMLDivElement>(null);

  function onKey(event: KeyboardEvent) {
    const index = tabs.findIndex(({ key }) => key === current);
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = target === undefined ? undefined : tabs.at(target % tabs.length);
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(next.key);
    strip.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  }

  return (
    <>
      <div ref={strip} className="ht-page-tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKey}>
        {tabs.map(({ key, title, mark }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}${key}`}
            data-key={key}
            aria-selected={key === current}
            aria-controls={`${id}panel`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
            {mark}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${current}`}>
        {children}
      </div>
    </>
  );
}
