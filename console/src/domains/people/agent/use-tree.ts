import { agent } from '@hengtai/contract/people/agent/calls';
import { PAGE_SIZE_MAX } from '@hengtai/contract/wire/list';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { useMemo } from 'react';
import { useReads } from '../../../api/hooks.ts';
import type { ListView } from '../../../ui/table/list-view.ts';
import { flattenTree } from './tree.ts';

/** The rows of the tree: those of the list and the children of expanded ones. Expanding a branch loads it. */
export function useTree(
  list: Pick<ListView<AgentRow>, 'rows' | 'sort' | 'seconds'>,
  expanded: readonly number[],
  isTree: boolean,
) {
  const sort = list.sort ?? 'account';
  const expandedIds = isTree ? expanded : NO_IDS;
  const answers = useReads(
    agent.list,
    expandedIds.map((parent) => ({ parent, size: PAGE_SIZE_MAX, sort })),
    { refetchMs: list.seconds > 0 ? list.seconds * 1000 : false },
  );
  const branches = answers.map(({ data }) => data);
  const key = answers.map(({ dataUpdatedAt, error }) => `${dataUpdatedAt}${error ? ' failed' : ''}`).join(' ');
  return useMemo(() => {
    const pages = new Map(expandedIds.map((id, i) => [id, branches[i]]));
    const tree = flattenTree(
      list.rows,
      (id) => {
        const page = pages.get(id);
        return page && { rows: page.list, total: page.total };
      },
      new Set(expandedIds),
    );
    for (const [i, id] of expandedIds.entries()) {
      const node = tree.nodes.get(id);
      const answer = answers[i];
      if (node?.isLoading && answer?.error) Object.assign(node, { isLoading: false, failed: answer });
    }
    return tree;
    // `answers` is a new array on each render, so the update times in `key` decide.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [list.rows, expandedIds, key]);
}

const NO_IDS: readonly number[] = [];
