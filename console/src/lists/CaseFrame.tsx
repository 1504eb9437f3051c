import '../ui/page/page-heading.css';
import './case-frame.css';
import './list-frame.css';
import { createContext, use } from 'react';
import { useTabName } from '../navigation/page-route.ts';
import { PageDrawer, type PageDrawerProps } from '../ui/dialog/PageDrawer.tsx';

/** Whether the case fills the page instead of a drawer beside its list. */
export const CasePageContext = createContext(false);

interface Props extends PageDrawerProps {
  /** Number of the record, which names the tab. */
  id: number | undefined;
}

/** Heading, content and foot of a case, in a drawer or as a page. */
export function CaseFrame({ id, ...frame }: Props) {
  return use(CasePageContext) ? <CasePage id={id} {...frame} /> : <PageDrawer {...frame} />;
}

function CasePage({ id, title, extra, footer, children }: Props) {
  useTabName(id === undefined ? undefined : `#${id}`);
  return (
    <div className="ht-page ht-lists-case-page">
      <header className="ht-lists-band">
        <h1>{title}</h1>
        {extra}
      </header>
      <div className="ht-lists-case-page-body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </div>
  );
}
