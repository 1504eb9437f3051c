import { useCallback, useMemo } from 'react';
import { withOpen } from '../../api/open-id.ts';
import { usePageRoute } from '../../shell/page-route.ts';

export const PARTS = ['profile', 'ability', 'audit'] as const;
export type Part = (typeof PARTS)[number];
export const partNames: Readonly<Record<Part, string>> = { profile: '概况', ability: '权限', audit: '审计' };

/** An address is no place for thousands of numbers. */
const EXPANDED_MAX = 60;
const NONE = '0';

const wholeOf = (text: string): number | undefined => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined);

/** What of the page stands in its address: the form of the list, what is unfolded, who is open and at which part. */
export function usePlace(firstExpanded: number | undefined) {
  const { search, setSearch } = usePageRoute();
  const flat = search.get('mode') === 'list';
  const expand = search.get('expand');
  /** The uppermost agent of the one branch that is shown, if it is not the whole tree. */
  const branch = wholeOf(search.get('branch') ?? '');
  const openId = wholeOf(search.get('open') ?? '');
  const part = PARTS.find((one) => one === search.get('tab')) ?? 'profile';

  const expanded = useMemo(() => {
    if (expand === null) return firstExpanded === undefined ? [] : [firstExpanded];
    return [...new Set(expand.split('.').flatMap((text) => wholeOf(text) ?? []))].slice(-EXPANDED_MAX);
  }, [expand, firstExpanded]);

  const put = useCallback(
    (next: Readonly<Record<string, string | undefined>>, replace: boolean) =>
      setSearch(
        (now) => {
          const rest = new URLSearchParams(now);
          for (const [name, value] of Object.entries(next)) {
            if (value === undefined) rest.delete(name);
            else rest.set(name, value);
          }
          return rest;
        },
        { replace },
      ),
    [setSearch],
  );
  const setExpanded = useCallback(
    (ids: readonly number[]) => {
      const nothing = firstExpanded === undefined ? undefined : NONE;
      put({ expand: ids.length === 0 ? nothing : ids.slice(-EXPANDED_MAX).join('.') }, true);
    },
    [put, firstExpanded],
  );
  const setFlat = useCallback((to: boolean) => put({ mode: to ? 'list' : undefined, page: undefined }, false), [put]);
  const showAll = useCallback(() => put({ branch: undefined, page: undefined }, false), [put]);
  const setPart = useCallback((to: Part) => put({ tab: to === 'profile' ? undefined : to }, true), [put]);
  const open = useCallback(
    (id: number, to?: Part) =>
      setSearch(
        (now) => {
          const next = withOpen(now, id);
          if (to === 'profile') next.delete('tab');
          else if (to !== undefined) next.set('tab', to);
          return next;
        },
        { replace: openId !== undefined },
      ),
    [setSearch, openId],
  );
  const close = useCallback(() => put({ open: undefined, tab: undefined }, false), [put]);
  return { flat, setFlat, branch, showAll, expanded, setExpanded, openId, part, setPart, open, close };
}
