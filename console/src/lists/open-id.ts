import { usePageRoute } from '../navigation/page-route.ts';
import { usePreference } from '../ui/browser/preference.ts';

const places = ['drawer', 'page'] as const;
type CasePlace = (typeof places)[number];

const parsePlace = (stored: unknown): CasePlace | undefined => places.find((place) => place === stored);

/** Preference: cases open beside their list, or as a page in a tab of their own. */
export const useCasePlaceChoice = () => usePreference<CasePlace>('page.case', 'drawer', parsePlace);

export const idOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;

/** The query with another open record, or none. */
export function withOpenId(search: URLSearchParams, id: number | undefined): URLSearchParams {
  const next = new URLSearchParams(search);
  if (id === undefined) next.delete('open');
  else next.set('open', String(id));
  return next;
}

/** The record open in the drawer of a list. Stored in the address, so that it can be linked and Back closes it. */
export function useOpenId() {
  const { search, setSearch } = usePageRoute();
  const openId = idOf(search.get('open'));
  return {
    openId,
    open: (id: number) => setSearch((query) => withOpenId(query, id), { replace: openId !== undefined }),
    close: () => setSearch((query) => withOpenId(query, undefined)),
  };
}
