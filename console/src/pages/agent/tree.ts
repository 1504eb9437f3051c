import type { AgentRow } from '@hengtai/contract/agent.schema';

/** Where a row stands in the tree on screen. */
export interface Node {
  /** 0 is the uppermost level in sight. */
  level: number;
  parent: number | undefined;
  open: boolean;
  /** It has agents below it. */
  branches: boolean;
  loading: boolean;
  /** Agents directly below that are not shown. */
  beyond: number;
}

export interface Branch {
  rows: readonly AgentRow[];
  total: number;
}

/** The rows of a tree in the order in which they are read, with where each stands. */
export function flatten(
  top: readonly AgentRow[],
  branchOf: (id: number) => Branch | undefined,
  expanded: ReadonlySet<number>,
): { rows: AgentRow[]; nodes: ReadonlyMap<number, Node> } {
  const rows: AgentRow[] = [];
  const nodes = new Map<number, Node>();
  const walk = (level: number, parent: number | undefined, some: readonly AgentRow[]): void => {
    for (const row of some) {
      // An agent that moves while its two parents are read would stand there twice.
      if (nodes.has(row.id)) continue;
      const branches = row.agentCount > 0;
      const open = branches && expanded.has(row.id);
      const branch = open ? branchOf(row.id) : undefined;
      rows.push(row);
      nodes.set(row.id, {
        level,
        parent,
        open,
        branches,
        loading: open && branch === undefined,
        beyond: branch ? Math.max(0, branch.total - branch.rows.length) : 0,
      });
      if (branch) walk(level + 1, row.id, branch.rows);
    }
  };
  walk(0, undefined, top);
  return { rows, nodes };
}
