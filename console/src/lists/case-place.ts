import { useEffect } from 'react';
import { usePageRoute } from '../navigation/page-route.ts';
import { useTabs } from '../navigation/tabs.ts';
import { openPath } from '../navigation/open-path.ts';
import { useCasePlaceChoice, withOpenId } from './open-id.ts';

const CASE = '/case';

/** The page of the cases of a list has the path of the list with a suffix, and the filters of the list in its query. */
const casePathOf = (listPath: string, search: URLSearchParams): string => `${listPath}${CASE}?${search.toString()}`;

/** Where the cases of a list open, and whether the page is the one that shows them. */
export function useCasePlace() {
  const { key, search, open } = usePageRoute();
  const [place] = useCasePlaceChoice();
  const isCasePage = key.endsWith(CASE);
  const opensPage = place === 'page' && !isCasePage;
  const isAsked = opensPage && (search.has('open') || search.get('queue') === '1');

  // Links and the queue name the case in the address of the list. Another change of that address, such as the size of
  // its page, cancels the navigation; the effect then repeats it.
  useEffect(() => {
    if (isAsked) openPath(casePathOf(key, search), { replace: true });
  }, [isAsked, key, search]);
  // So that the list does not open the case again when the operator returns to it. Runs whenever the page is shown.
  useEffect(() => {
    if (isCasePage) forgetCase(key.slice(0, -CASE.length));
  }, [isCasePage, key]);

  return {
    isCasePage,
    opensPage,
    openCase: (id: number) => open(casePathOf(key, withOpenId(search, id))),
  };
}

function forgetCase(listKey: string) {
  const { tabs, setSearch } = useTabs.getState();
  const list = withOpenId(new URLSearchParams(tabs.find(({ key }) => key === listKey)?.search), undefined);
  list.delete('queue');
  const query = list.toString();
  setSearch(listKey, query && `?${query}`);
}
