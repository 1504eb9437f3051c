import { CODE } from '@hengtai/contract/envelope';
import { recordAudit } from '../audit/audit.store.ts';
import type { App } from '../context.ts';
import { inTransaction, scoped } from '../db/connect.ts';
import {
  type LiabilityResult,
  type LiabilityTask,
  type UserBalances,
  fetchUserBalances,
  failLiability,
  finishLiability,
  insertLeaves,
  insertNodes,
  recordProgress,
  fetchHouseLiabilities,
  takeLiability,
} from './liability.store.ts';
import {
  NotProvable,
  type TreeLeaf,
  type TreeNode,
  amountOf,
  leafOf,
  nodeOf,
  padOf,
  rootOf,
  shuffleUsers,
  unitsOf,
} from './liability-tree.ts';

/** So many nodes are hashed and written at once; between them everybody else has the thread. */
const CHUNK = 1_000;
/** A worker that was silent for this long is considered dead. */
const SILENT_MS = 120_000;

const REASONS = {
  negative: '账本中有负数或超出范围的余额，已拒绝生成',
  fault: '生成时出错，请重试',
} as const;

/** Somebody else has the order by now. */
class TaskTakenOver extends Error {
  override name = 'TaskTakenOver';
}

/** Makes the proof that was ordered; one process takes it, and another one if that is gone. */
export async function makeLiabilities(app: App, stopping: AbortSignal): Promise<boolean> {
  const now = app.clock.now();
  const order = await inTransaction(app.system, (db) => takeLiability(db, now, now - SILENT_MS));
  if (!order) return false;
  try {
    const end = await makeTree(app, order, stopping);
    await inTransaction(app.system, async (db) => {
      if (!(await finishLiability(db, order, end, app.clock.now()))) throw new TaskTakenOver();
      await auditCreation(app, db, order, end);
    });
  } catch (error) {
    // The next worker starts from the beginning.
    if (stopping.aborted || error instanceof TaskTakenOver) return false;
    const reason = error instanceof NotProvable ? REASONS.negative : REASONS.fault;
    app.log.error({ err: error, liability: order.id }, 'proof of liabilities failed');
    await inTransaction(app.system, (db) => failLiability(db, order, reason, app.clock.now()));
  }
  return true;
}

/** The root is in the audit chain, and so in its signed heads outside the database. */
const auditCreation = (
  app: App,
  db: Parameters<typeof recordAudit>[0],
  order: LiabilityTask,
  end: LiabilityResult,
): Promise<void> =>
  recordAudit(
    db,
    {
      operator: { id: order.operatorId, account: order.operator },
      sessionId: null,
      ip: '',
      userAgent: 'job',
      requestId: '',
      now: app.clock.now(),
    },
    {
      action: 'report.made',
      result: CODE.ok,
      targetType: 'report',
      targetId: order.id,
      after: { at: end.at, users: end.users, root: end.root, totals: end.totals, same: end.matches },
    },
  );

/** Balances and what the house owes are read in one snapshot; everything after it works on that. */
async function makeTree(app: App, order: LiabilityTask, stopping: AbortSignal): Promise<LiabilityResult> {
  const at = app.clock.now();
  const { users, owed } = await scoped(
    app.system,
    { kind: 'all' },
    0,
    async (db) => ({ users: await fetchUserBalances(db), owed: await fetchHouseLiabilities(db) }),
    'read',
  );
  const coins = coinsOf(
    users,
    owed.map(({ marketName }) => marketName),
  );
  const top = await writeTree({ app, order, users: users.length, stopping }, coins, users);
  const totals = coins.map((marketName, index) => ({
    marketName,
    amount: amountOf(top.sums[index] ?? 0n),
    ledger: owed.find((one) => one.marketName === marketName)?.amount ?? '0',
  }));
  return {
    at,
    users: users.length,
    root: rootOf({ id: order.id, at, users: users.length, coins, top }),
    totals,
    matches: totals.every(({ amount, ledger }) => amount === ledger),
  };
}

/** Those that the house owes in their order, and any other that a user has: it would show that the two differ. */
const coinsOf = (users: readonly UserBalances[], owed: readonly string[]): string[] => [
  ...new Set([...owed, ...users.flatMap(({ balances }) => Object.keys(balances)).toSorted()]),
];

/** Writes the tree level by level; each level is closed with a pad where it is odd. */
async function writeTree(writing: Writing, coins: readonly string[], users: readonly UserBalances[]): Promise<TreeNode> {
  const { id } = writing.order;
  let nodes = await writeLeaves(writing, coins, users);
  if (nodes.length === 0) return padOf(id, 0, 0, coins.length);
  for (let level = 0; nodes.length > 1; level += 1) {
    if (nodes.length % 2 === 1) {
      const pad = padOf(id, level, nodes.length, coins.length);
      await write(writing, users.length, (db) => insertNodes(db, id, level, nodes.length, [pad]));
      nodes = [...nodes, pad];
    }
    nodes = await writeLevel(writing, level + 1, nodes);
  }
  return nodes[0] as TreeNode;
}

async function writeLeaves(
  writing: Writing,
  coins: readonly string[],
  users: readonly UserBalances[],
): Promise<TreeNode[]> {
  const { id } = writing.order;
  const people = shuffleUsers(
    users.map(({ id: userId, account, balances }) => ({
      id: userId,
      account,
      sums: coins.map((coin) => unitsOf(balances[coin] ?? '0')),
    })),
  );
  const planted: TreeLeaf[] = [];
  for (let first = 0; first < people.length; first += CHUNK) {
    const leaves = people.slice(first, first + CHUNK).map((user, at) => leafOf(id, first + at, coins, user));
    planted.push(...leaves);
    await write(writing, planted.length, async (db) => {
      await insertNodes(db, id, 0, first, leaves);
      await insertLeaves(db, id, first, leaves);
    });
  }
  return planted;
}

async function writeLevel(writing: Writing, level: number, below: readonly TreeNode[]): Promise<TreeNode[]> {
  const grown: TreeNode[] = [];
  for (let first = 0; first < below.length; first += 2 * CHUNK) {
    const made: TreeNode[] = [];
    for (let index = first; index < Math.min(first + 2 * CHUNK, below.length); index += 2) {
      made.push(nodeOf(level, below[index] as TreeNode, below[index + 1] as TreeNode));
    }
    await write(writing, writing.users, (db) => insertNodes(db, writing.order.id, level, first / 2, made));
    grown.push(...made);
  }
  return grown;
}

interface Writing {
  app: App;
  order: LiabilityTask;
  users: number;
  stopping: AbortSignal;
}

/** Puts a part of the tree into the database, as long as the order is its own, and says how many users are done. */
async function write(
  { app, order, users, stopping }: Writing,
  done: number,
  work: (db: App['system']) => Promise<void>,
): Promise<void> {
  if (stopping.aborted) throw new TaskTakenOver();
  await inTransaction(app.system, async (db) => {
    if (!(await recordProgress(db, order, users, done, app.clock.now()))) throw new TaskTakenOver();
    await work(db);
  });
}
