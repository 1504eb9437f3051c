import './page-link.css';
import { type ReactNode, use } from 'react';
import { BesideContext } from './beside.ts';
import { usePageRoute } from './page-route.ts';

interface Props {
  /** Path with query. */
  to: string;
  /** Accessible name, if it differs from the content. */
  label?: string;
  /** In the colour of its text, for links in every row of a table. */
  quiet?: true;
  children: ReactNode;
}

/**
 * A link to a page of the console: a click opens a tab, or a record beside the case that has the link. A click with a modifier
 * keeps the browser default.
 */
export function PageLink({ to, label, quiet, children }: Props) {
  const { open } = usePageRoute();
  const showBeside = use(BesideContext);
  return (
    <a
      className={quiet ? 'ht-navigation-quiet-link' : 'ht-navigation-link'}
      href={to}
      aria-label={label}
      onClick={(event) => {
        // A click in a table row must not also open the row.
        event.stopPropagation();
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        if (!showBeside?.(to)) open(to);
      }}
    >
      {children}
    </a>
  );
}
