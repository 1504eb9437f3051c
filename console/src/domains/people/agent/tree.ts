import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { QueryState } from '../../../api/QueryPlace.tsx';

/** Position and state of a row in the displayed tree. */
export interface TreeNode {
  /** 0 on the top displayed level. */
  level: number;
  parent: number | undefined;
  isOpen: boolean;
  hasChildren: boolean;
  isLoading: boolean;
  /** The query of the children if it failed. */
  failed?: QueryState | undefined;
  /** Direct children that the loaded page does not contain. */
  hiddenChildren: number;
}

export interface Branch {
  rows: readonly AgentRow[];
  total: number;
}

/** Flattens the expanded part of a tree into rows in display order, each with its node. */
export function flattenTree(
  top: readonly AgentRow[],
  branchOf: (id: number) => Branch | undefined,
  expanded: ReadonlySet<number>,
): { rows: AgentRow[]; nodes: ReadonlyMap<number, TreeNode> } {
  const rows: AgentRow[] = [];
  const nodes = new Map<number, TreeNode>();
  const walk = (level: number, parent: number | undefined, children: readonly AgentRow[]): void => {
    for (const row of children) {
      // An agent that moves between two reads can be in both branches.
      if (nodes.has(row.id)) continue;
      const hasChildren = row.agentCount > 0;
      const isOpen = hasChildren && expanded.has(row.id);
      const branch = isOpen ? branchOf(row.id) : undefined;
      rows.push(row);
      nodes.set(row.id, {
        level,
        parent,
        isOpen,
        hasChildren,
        isLoading: isOpen && branch === undefined,
        hiddenChildren: branch ? Math.max(0, branch.total - branch.rows.length) : 0,
      });
      if (branch) walk(level + 1, row.id, branch.rows);
    }
  };
  walk(0, undefined, top);
  return { rows, nodes };
}
