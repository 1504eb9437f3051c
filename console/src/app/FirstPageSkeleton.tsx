import { matchPage } from '../navigation/page-table.ts';
import { PageSkeleton } from '../ui/page/PageSkeleton.tsx';

/** Placeholder of the page at the address of the window, before there are tabs. */
export function FirstPageSkeleton() {
  const { pathname } = window.location;
  const page = matchPage(pathname === '/' ? '/home' : pathname)?.page;
  return <PageSkeleton shape={page?.shape ?? 'list'} title={page?.title ?? ''} />;
}
