import type { ReactNode } from 'react';
import { usePageRoute } from './page-route.ts';

interface Props {
  /** The address below the origin. */
  to: string;
  /** Read aloud instead of what it shows. */
  label?: string;
  children: ReactNode;
}

/** A link to another page of the console: a click opens it as a tab, a click with a modifier is the browser's own. */
export function PageLink({ to, label, children }: Props) {
  const { open } = usePageRoute();
  return (
    <a
      className="ht-link"
      href={to}
      aria-label={label}
      onClick={(event) => {
        // In a row of a list the row itself is not opened along with it.
        event.stopPropagation();
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        open(to);
      }}
    >
      {children}
    </a>
  );
}
