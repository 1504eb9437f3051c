import { usePageRoute } from '../shell/page-route.ts';

const idOf = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;

/** The same address with another record open, or with none. */
export function withOpen(search: URLSearchParams, id: number | undefined): URLSearchParams {
  const next = new URLSearchParams(search);
  if (id === undefined) next.delete('open');
  else next.set('open', String(id));
  return next;
}

/** The record in the drawer of a list. It lives in the address, so it is a link, and Back closes it. */
export function useOpenId() {
  const { search, setSearch } = usePageRoute();
  const openId = idOf(search.get('open'));
  return {
    openId,
    open: (id: number) => setSearch((now) => withOpen(now, id), { replace: openId !== undefined }),
    close: () => setSearch((now) => withOpen(now, undefined)),
  };
}
