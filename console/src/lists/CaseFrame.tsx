import '../ui/page/page-heading.css';
import './case-frame.css';
import './list-frame.css';
import { type ReactNode, createContext, use } from 'react';
import { useTabName } from '../navigation/page-route.ts';
import { PageDrawer, type PageDrawerProps } from '../ui/dialog/PageDrawer.tsx';

/** Whether the case fills the page instead of a drawer beside its list. */
export const CasePageContext = createContext(false);

interface Props extends PageDrawerProps {
  /** Number of the record, which names the tab. */
  id: number | undefined;
  /** A drawer with another record, for which the case makes room. */
  beside: ReactNode;
}

/** The width of both halves where the case is a drawer. A page keeps the menu, so its halves are smaller. */
const HALF = '50vw';

/** Heading, content and foot of a case, in a drawer or as a page. */
export function CaseFrame({ id, beside, ...frame }: Props) {
  const isPage = use(CasePageContext);
  return (
    <>
      {isPage ? (
        <CasePage id={id} beside={beside} {...frame} />
      ) : (
        <PageDrawer {...frame} {...(beside !== undefined && { width: HALF, inset: HALF })} />
      )}
      {beside}
    </>
  );
}

function CasePage({ id, beside, title, extra, footer, children }: Props) {
  useTabName(id === undefined ? undefined : `#${id}`);
  return (
    <div className="ht-page ht-lists-case-page" data-beside={beside !== undefined}>
      <header className="ht-lists-band">
        <h1>{title}</h1>
        {extra}
      </header>
      <div className="ht-lists-case-page-body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </div>
  );
}
