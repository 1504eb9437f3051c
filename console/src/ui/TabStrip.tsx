import './ui.css';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface Strip<K extends string> {
  key: K;
  title: string;
  /** A quiet number behind the title. */
  count?: number | undefined;
  /** A sign behind the title. */
  mark?: ReactNode;
}

interface Props<K extends string> {
  label: string;
  tabs: readonly Strip<K>[];
  current: K;
  onChange: (key: K) => void;
  /** The part that is in sight. */
  children: ReactNode;
}

/** Parts of what is read, one in sight at a time; arrows, Home and End move between them. */
export function TabStrip<K extends string>({ label, tabs, current, onChange, children }: Props<K>) {
  const id = useId();
  const strip = useRef<HTMLDivElement>(null);

  function onKey(event: KeyboardEvent) {
    const at = tabs.findIndex(({ key }) => key === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(next.key);
    strip.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus();
  }

  return (
    <>
      <div ref={strip} className="ht-strip-tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKey}>
        {tabs.map(({ key, title, count, mark }) => (
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
            {count !== undefined && <small>{count}</small>}
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
