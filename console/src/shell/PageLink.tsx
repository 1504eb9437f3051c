import type { ReactNode } from 'react';
import { usePageRoute } from './page-route.ts';

interface Props {
  /** The address below the origin. */
  to: string;
  children: ReactNode;
}

/** A link to another page of the console: a click opens it as a tab, a click with a modifier is the browser's own. */
export function PageLink({ to, children }: Props) {
  const { open } = usePageRoute();
  return (
    <a
      className="ht-link"
      href={to}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        open(to);
      }}
    >
      {children}
    </a>
  );
}
