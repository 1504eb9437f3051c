import { useCallback } from 'react';
import { withOpenId } from '../../../lists/open-id.ts';
import { usePageRoute } from '../../../navigation/page-route.ts';

export const PARTS = ['profile', 'assets', 'records', 'logins', 'notes', 'audit'] as const;
export type Part = (typeof PARTS)[number];
export const partNames: Readonly<Record<Part, string>> = {
  profile: '概况',
  assets: '资产',
  records: '资金往来',
  logins: '登录与凭证',
  notes: '备注记录',
  audit: '审计',
};

const parseId = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;

/** The open user, its tab and the time of its balances, stored in the address so that it can be shared as a link. */
export function useUserRoute() {
  const { search, setSearch } = usePageRoute();
  const openId = parseId(search.get('open'));
  const part = PARTS.find((one) => one === search.get('tab')) ?? 'profile';
  const at = parseId(search.get('at'));

  const open = useCallback(
    (id: number, to?: Part) =>
      setSearch(
        (now) => {
          const next = withOpenId(now, id);
          next.delete('at');
          if (to === 'profile') next.delete('tab');
          else if (to !== undefined) next.set('tab', to);
          return next;
        },
        { replace: openId !== undefined },
      ),
    [setSearch, openId],
  );
  const close = useCallback(
    () =>
      setSearch((now) => {
        const next = withOpenId(now, undefined);
        next.delete('tab');
        next.delete('at');
        return next;
      }),
    [setSearch],
  );
  /** Replaces the history entry: the Back button skips changes of tab and time. */
  const setParam = useCallback(
    (name: 'tab' | 'at', value: string | undefined) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now);
          if (value === undefined) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const setPart = useCallback((to: Part) => setParam('tab', to === 'profile' ? undefined : to), [setParam]);
  const setAt = useCallback((moment: number | undefined) => setParam('at', moment?.toString()), [setParam]);
  return { openId, part, at, open, close, setPart, setAt };
}
