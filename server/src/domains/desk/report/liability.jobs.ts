import { PROOF_WALLETS } from '@hengtai/contract/desk/report/facts';
import type { Solvency } from '@hengtai/contract/desk/report/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App } from '../../../app/context.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { findLastHead } from '../../../books/audit/head.store.ts';
import { findSigner } from '../../../books/audit/sealer.ts';
import { findLastEntry, waitForWriters } from '../../../books/ledger/balance-snapshot.ts';
import { inTransaction, runInScope } from '../../../database/connect.ts';
import type { SigningKey } from '../../../host/audit-key.ts';
import { fetchHoldings } from '../../funds/wallet/holding.store.ts';
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
import { signSolvency, stateAssets } from './solvency.rules.ts';
import { insertSolvency } from './solvency.store.ts';

/** Nodes per transaction; other requests get the thread in between. */
const CHUNK = 1_000;
/** A worker without progress for this long is considered dead. */
const SILENT_MS = 120_000;
/** Longest wait for transactions that write entries. Less than `SILENT_MS`, so the task is not taken meanwhile. */
const WRITERS_MAX_MS = 60_000;

const REASONS = {
  negative: '账本中有负数或超出范围的余额，已拒绝生成',
  error: '生成时出错，请重试',
} as const;

/** This worker must stop: another one has taken the task, or the process is stopping. */
class TaskTakenOver extends Error {
  override name = 'TaskTakenOver';
}

/**
 * Makes the requested proof. If the process that makes it dies, another one starts over. Returns true if it did work.
 */
export async function makeLiabilities(app: App, stopSignal: AbortSignal): Promise<boolean> {
  const now = app.clock.now();
  const task = await inTransaction(app.system, (db) => takeLiability(db, now, now - SILENT_MS));
  if (!task) return false;
  try {
    const result = await makeProof(app, task, stopSignal);
    await inTransaction(app.system, async (db) => {
      if (!(await finishLiability(db, task, result, app.clock.now()))) throw new TaskTakenOver();
      const signer = await findSigner(db, app.auditKey, await findLastHead(db));
      if (!signer) throw new Error('The audit chain was signed with another key, so the statements cannot be signed.');
      await insertSolvency(db, task.id, signStatements(task, result, signer));
      await auditCreation(app, db, task, result);
    });
  } catch (error) {
    // The next worker starts over, so there is nothing to clean up.
    if (stopSignal.aborted || error instanceof TaskTakenOver) return false;
    const reason = error instanceof NotProvable ? REASONS.negative : REASONS.error;
    app.log.error({ err: error, liability: task.id }, 'proof of liabilities failed');
    await inTransaction(app.system, (db) => failLiability(db, task, reason, app.clock.now()));
  }
  return true;
}

/** Records the root in the audit log, so that the signed heads of the chain cover it. */
const auditCreation = (
  app: App,
  db: Parameters<typeof recordAudit>[0],
  task: LiabilityTask,
  result: MadeProof,
): Promise<void> =>
  recordAudit(
    db,
    {
      operator: task.operatorId === null ? null : { id: task.operatorId, account: task.operator },
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
      targetId: task.id,
      after: {
        at: result.at,
        entry: result.entry,
        users: result.users,
        root: result.root,
        totals: result.totals,
        same: result.matches,
      },
    },
  );

interface MadeProof extends LiabilityResult {
  assets: Pick<Solvency['assets'], 'coins' | 'holdings'>;
}

function signStatements(task: LiabilityTask, made: MadeProof, signer: SigningKey): Solvency {
  const moment = { id: task.id, at: made.at, entry: made.entry };
  const totals = made.totals.map(({ marketName, amount }) => ({ marketName, amount }));
  return signSolvency(
    { ...moment, users: made.users, totals, root: made.root },
    { ...moment, ...made.assets, files: task.files },
    signer,
  );
}

/** Reads balances and wallets in one snapshot, as of the last entry, and builds the tree from it. */
async function makeProof(app: App, task: LiabilityTask, stopSignal: AbortSignal): Promise<MadeProof> {
  const at = app.clock.now();
  const entry = await findLastEntry(app.system);
  if (!(await waitForWriters(app.system, WRITERS_MAX_MS)))
    throw new Error('A transaction writes entries for too long.');
  const { users, owed, wallets, isNamed } = await runInScope(
    app.system,
    { kind: 'all' },
    0,
    async (db) => ({
      users: await fetchUserBalances(db, entry),
      owed: await fetchHouseLiabilities(db, entry),
      wallets: await fetchHoldings(db, at),
      isNamed: await isSettingOn(db, PROOF_WALLETS),
    }),
    'read',
  );
  const coins = coinsOf(
    users,
    owed.map(({ marketName }) => marketName),
  );
  const top = await writeTree({ app, task, users: users.length, stopSignal }, coins, users);
  const totals = coins.map((marketName, index) => ({
    marketName,
    amount: amountOf(top.sums[index] ?? 0n),
    ledger: owed.find((one) => one.marketName === marketName)?.amount ?? '0',
  }));
  return {
    at,
    entry,
    assets: stateAssets(wallets, coins, { platforms: platformsOf(users), isNamed }),
    users: users.length,
    root: rootOf({ id: task.id, at, users: users.length, coins, top }),
    totals,
    matches: totals.every(({ amount, ledger }) => amount === ledger),
  };
}

function platformsOf(users: readonly UserBalances[]): Map<string, Set<number>> {
  const platforms = new Map<string, Set<number>>();
  for (const { platformId, balances } of users)
    for (const coin of Object.keys(balances))
      platforms.set(coin, (platforms.get(coin) ?? new Set<number>()).add(platformId));
  return platforms;
}

/**
 * The coins that the house owes, then any other coin that a user holds; the latter shows a difference in the totals.
 */
const coinsOf = (users: readonly UserBalances[], owed: readonly string[]): string[] => [
  ...new Set([...owed, ...users.flatMap(({ balances }) => Object.keys(balances)).toSorted()]),
];

/** Writes the tree level by level and returns the top node. A level with an odd number of nodes gets a padding node. */
async function writeTree(
  writing: Writing,
  coins: readonly string[],
  users: readonly UserBalances[],
): Promise<TreeNode> {
  const { id } = writing.task;
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
  const { id } = writing.task;
  const shuffled = shuffleUsers(
    users.map(({ id: userId, account, balances }) => ({
      id: userId,
      account,
      sums: coins.map((coin) => unitsOf(balances[coin] ?? '0')),
    })),
  );
  const allLeaves: TreeLeaf[] = [];
  for (let first = 0; first < shuffled.length; first += CHUNK) {
    const leaves = shuffled.slice(first, first + CHUNK).map((user, at) => leafOf(id, first + at, coins, user));
    allLeaves.push(...leaves);
    await write(writing, allLeaves.length, async (db) => {
      await insertNodes(db, id, 0, first, leaves);
      await insertLeaves(db, id, first, leaves);
    });
  }
  return allLeaves;
}

async function writeLevel(writing: Writing, level: number, below: readonly TreeNode[]): Promise<TreeNode[]> {
  const nodes: TreeNode[] = [];
  for (let first = 0; first < below.length; first += 2 * CHUNK) {
    const chunk: TreeNode[] = [];
    for (let index = first; index < Math.min(first + 2 * CHUNK, below.length); index += 2) {
      chunk.push(nodeOf(level, below[index] as TreeNode, below[index + 1] as TreeNode));
    }
    await write(writing, writing.users, (db) => insertNodes(db, writing.task.id, level, first / 2, chunk));
    nodes.push(...chunk);
  }
  return nodes;
}

interface Writing {
  app: App;
  task: LiabilityTask;
  users: number;
  stopSignal: AbortSignal;
}

/**
 * Writes nodes and the progress in one transaction.
 *
 * @param done number of users that are in the tree
 * @throws TaskTakenOver if the task is no longer this worker's, or the process is stopping
 */
async function write(
  { app, task, users, stopSignal }: Writing,
  done: number,
  work: (db: App['system']) => Promise<void>,
): Promise<void> {
  if (stopSignal.aborted) throw new TaskTakenOver();
  await inTransaction(app.system, async (db) => {
    if (!(await recordProgress(db, task, users, done, app.clock.now()))) throw new TaskTakenOver();
    await work(db);
  });
}
