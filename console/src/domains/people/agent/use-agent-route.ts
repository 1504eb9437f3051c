import { agent } from '@hengtai/contract/people/agent/calls';
import { useCallback, useMemo } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { withOpenId } from '../../../lists/open-id.ts';
import { usePageRoute } from '../../../navigation/page-route.ts';

export const PARTS = ['profile', 'ability', 'audit'] as const;
export type Part = (typeof PARTS)[number];
export const partNames: Readonly<Record<Part, string>> = { profile: '概况', ability: '权限', audit: '审计' };

/** Keeps the address short. */
const EXPANDED_MAX = 60;
/** Stored when everything is collapsed although the root is expanded by default. */
const NONE = '0';

const parseId = (text: string): number | undefined => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined);

/** State of the page that its address stores: tree or list, expanded agents, open agent and tab. */
export function useAgentRoute(firstExpanded: number | undefined) {
  const { search, setSearch } = usePageRoute();
  const isFlat = search.get('mode') === 'list';
  const expand = search.get('expand');
  /** Root of the only displayed branch; undefined if the whole tree is displayed. */
  const branch = parseId(search.get('branch') ?? '');
  const who = search.get('who') ?? '';
  const found = useRead(agent.find, { account: who }, { enabled: who !== '', staleTime: Infinity });
  const openId = parseId(search.get('open') ?? '') ?? (who === '' ? undefined : found.data?.id);
  /** The query of the agent that a link names by its account; undefined once its drawer can open. */
  const pendingAgent = who !== '' && openId === undefined ? { who, query: found } : undefined;
  const part = PARTS.find((one) => one === search.get('tab')) ?? 'profile';

  const expanded = useMemo(() => {
    if (expand === null) return firstExpanded === undefined ? [] : [firstExpanded];
    return [...new Set(expand.split('.').flatMap((text) => parseId(text) ?? []))].slice(-EXPANDED_MAX);
  }, [expand, firstExpanded]);

  const setParams = useCallback(
    (next: Readonly<Record<string, string | undefined>>, replace: boolean) =>
      setSearch(
        (now) => {
          const params = new URLSearchParams(now);
          for (const [name, value] of Object.entries(next)) {
            if (value === undefined) params.delete(name);
            else params.set(name, value);
          }
          return params;
        },
        { replace },
      ),
    [setSearch],
  );
  const setExpanded = useCallback(
    (ids: readonly number[]) => {
      const noneExpanded = firstExpanded === undefined ? undefined : NONE;
      setParams({ expand: ids.length === 0 ? noneExpanded : ids.slice(-EXPANDED_MAX).join('.') }, true);
    },
    [setParams, firstExpanded],
  );
  const setFlat = useCallback(
    (to: boolean) => setParams({ mode: to ? 'list' : undefined, page: undefined }, false),
    [setParams],
  );
  const showAll = useCallback(() => setParams({ branch: undefined, page: undefined }, false), [setParams]);
  const setPart = useCallback((to: Part) => setParams({ tab: to === 'profile' ? undefined : to }, true), [setParams]);
  const open = useCallback(
    (id: number, to?: Part) =>
      setSearch(
        (now) => {
          const next = withOpenId(now, id);
          next.delete('who');
          if (to === 'profile') next.delete('tab');
          else if (to !== undefined) next.set('tab', to);
          return next;
        },
        { replace: openId !== undefined },
      ),
    [setSearch, openId],
  );
  const close = useCallback(() => setParams({ open: undefined, who: undefined, tab: undefined }, false), [setParams]);
  return { isFlat, setFlat, branch, showAll, expanded, setExpanded, openId, pendingAgent, part, setPart, open, close };
}
