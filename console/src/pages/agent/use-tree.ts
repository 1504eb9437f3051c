import { agent } from '@hengtai/contract/agent';
import { PAGE_SIZE_MAX } from '@hengtai/contract/list';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { useMemo } from 'react';
import { useReads } from '../../api/hooks.ts';
import type { ListView } from '../../ui/list-view.ts';
import { flatten } from './tree.ts';

/** The uppermost rows of a list with what is unfolded below them; each branch is read once it is wanted. */
export function useTree(
  list: Pick<ListView<AgentRow>, 'rows' | 'sort' | 'seconds'>,
  expanded: readonly number[],
  shown: boolean,
) {
  const sort = list.sort ?? 'account';
  const wanted = shown ? expanded : NOBODY;
  const answers = useReads(
    agent.list,
    wanted.map((parent) => ({ parent, size: PAGE_SIZE_MAX, sort })),
    { every: list.seconds > 0 ? list.seconds * 1000 : false },
  );
  const branches = answers.map(({ data }) => data);
  const key = answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' ');
  return useMemo(() => {
    const known = new Map(wanted.map((id, i) => [id, branches[i]]));
    return flatten(
      list.rows,
      (id) => {
        const page = known.get(id);
        return page && { rows: page.list, total: page.total };
      },
      new Set(wanted),
    );
    // The answers are told apart by when they came in: as an array they are new each time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [list.rows, wanted, key]);
}

const NOBODY: readonly number[] = [];
