import type { ListSpec } from '@hengtai/contract/wire/list';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { usePageRoute } from '../navigation/page-route.ts';
import { autoPageSize, defaultPageSize } from '../ui/table/page-size.ts';
import { type ListState, readAddress, writeAddress } from './list-address.ts';

const NONE = {};

/** The list state in the query of the tab, a function that changes it, and the page size that fills the window. */
export function useListAddress(spec: ListSpec, initial: Readonly<Record<string, string>> = NONE, above = 0) {
  const { search, setSearch } = usePageRoute();
  const text = (search.size === 0 ? new URLSearchParams(initial) : search).toString();
  const [autoSize] = useState(() => autoPageSize(above));
  const [defaultSize] = useState(() => defaultPageSize(above));
  const state = useMemo(() => readAddress(spec, new URLSearchParams(text), defaultSize), [spec, text, defaultSize]);
  const go = useCallback(
    (next: Partial<ListState>, more: Readonly<Record<string, string | undefined>> = {}) => {
      const otherParams = new URLSearchParams(text);
      for (const [key, value] of Object.entries(more)) {
        if (value === undefined) otherParams.delete(key);
        else otherParams.set(key, value);
      }
      setSearch(writeAddress(spec, { ...state, ...next }, otherParams));
    },
    [setSearch, text, spec, state],
  );
  useEffect(() => {
    if (search.has('size')) return;
    setSearch(
      (current) => {
        const complete = current.size === 0 ? new URLSearchParams(initial) : current;
        complete.set('size', String(defaultSize));
        return complete;
      },
      { replace: true },
    );
  }, [search, setSearch, initial, defaultSize]);
  return { state, go, autoSize };
}
