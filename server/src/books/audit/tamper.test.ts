// @module-tag sized
// @module-tag soak
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { verify as verifyExport } from '../../../../scripts/verify-audit.mjs';
import { sized } from '../../../../testing/level.ts';
import { login, provideServer } from '../../../test/server.ts';
import { inTransaction } from '../../database/connect.ts';
import { recordAudit } from '../../actions/audit.store.ts';
import { type AuditKey, makeAuditKey } from '../../host/audit-key.ts';
import { GENESIS, RULE, type SealedRow, sealHash } from './chain.ts';
import { type WalkResult, walkChain } from './check.ts';
import { chainLines } from './export.ts';
import { type Head, linkTo, signHead } from './head.ts';
import { makeHeadReader } from './head.store.ts';
import { sealPending } from './sealer.ts';
import { readRows } from './verify.ts';
import { runHengtai } from '../../../test/command-line.ts';

/** The rows and heads of a chain, as the owner of the tables sees them. */
interface Chain {
  rows: SealedRow[];
  heads: Head[];
}

const TAMPERINGS = sized({ short: 1_000, full: 3_000, long: 10_000 });
/** Few, because each starts the command once. */
const STATEMENTS = sized({ short: 2, full: 6, long: 12 });
const BATCHES = 4;
const ROWS_PER_BATCH = 4;

const server = provideServer({ jobs: false });
let original: Chain;
/** The owner of the database does not have the installation's key, but can generate another. */
let otherKey: AuditKey;

beforeAll(async () => {
  await login(server);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    for (let n = 0; n < ROWS_PER_BATCH; n += 1) await writeRow(batch * ROWS_PER_BATCH + n);
    await sealPending(server.app);
  }
  original = await readChain();
  otherKey = makeAuditKey();
});

async function writeRow(n: number): Promise<void> {
  const origin = { sessionId: 7, ip: '127.0.0.1', userAgent: 'test', requestId: `r-${n}`, now: 1_000 + n };
  const who = { operator: { id: 1, account: 'admin' }, ...origin };
  const entry = { action: 'test.action', result: 200, userId: n, account: `user${n}`, reason: `because ${n}` };
  await inTransaction(server.app.system, (db) => recordAudit(db, who, { ...entry, before: { n }, after: null }));
}

async function readChain(): Promise<Chain> {
  const chain: Chain = { rows: [], heads: [] };
  await inTransaction(server.app.system, async (db) => {
    for await (const row of readRows(db)) chain.rows.push(row);
    const next = makeHeadReader(db);
    for (let head = await next(); head; head = await next()) chain.heads.push(head);
  });
  return chain;
}

const readerOf = (heads: readonly Head[]): (() => Promise<Head | undefined>) => {
  let at = 0;
  return () => Promise.resolve(heads[at++]);
};

const copies = () => original.heads.map((head, index) => ({ head, line: index + 1 }));
const keys = () => [server.app.auditKey.fingerprint];

const walk = ({ rows, heads }: Chain): Promise<WalkResult> =>
  walkChain(rows, readerOf(heads), { keys: keys(), copies: copies() });

/** The first bad row by the server's check; undefined if the chain is valid. */
async function firstBadOfServer(chain: Chain): Promise<number | undefined> {
  const { bad, unanchored } = await walk(chain);
  // A gap is reported with the row after it.
  const missing = /^第 (\d+) 条起被删除$/.exec(bad?.problem ?? '')?.[1];
  return missing === undefined ? (bad ?? unanchored)?.seq : Number(missing);
}

/** The first bad row by the script; undefined if the chain is valid. */
async function firstBadOfScript({ rows, heads }: Chain): Promise<number | undefined> {
  try {
    const { rows: count, anchored } = await verifyExport(chainLines(rows, readerOf(heads)), keys(), original.heads);
    return count === anchored ? undefined : anchored + 1;
  } catch (error) {
    return (error as { row: number }).row;
  }
}

/** Recomputes the hashes of all rows from index `from` on, to hide a change. */
function rehash({ rows }: Chain, from: number): void {
  for (let index = from; index < rows.length; index += 1) {
    const row = rows[index];
    if (!row?.fields) continue;
    row.seq = index + 1;
    row.hash = sealHash(RULE, row.seq, rows[index - 1]?.hash ?? GENESIS, row.fields);
  }
}

/** Recomputes the heads from index `from` on to match the rows, signed with the other key. */
function resign({ rows, heads }: Chain, from: number): void {
  for (let index = from; index < heads.length; index += 1) {
    const previous = heads[index - 1];
    const number = (previous?.number ?? 0) + 1;
    const covered = Math.min(heads[index]?.rows ?? 0, rows.length);
    const hash = rows[covered - 1]?.hash ?? GENESIS;
    const at = heads[index]?.at ?? 0;
    heads[index] = signHead({ number, previous: linkTo(previous), rows: covered, hash, at }, otherKey);
  }
}

/** Changes that the owner of the tables can make; `a` and `b` select the place. */
const tamperings: Record<string, (chain: Chain, a: number, b: number) => void> = {
  change({ rows }, a, b) {
    const row = rows[a % rows.length];
    if (!row?.fields) return;
    const at = b % row.fields.length;
    row.fields = row.fields.map((field, index) => (index === at ? (field === null ? '' : `${field}0`) : field));
  },
  moveBorder({ rows }, a, b) {
    const row = rows[a % rows.length];
    if (!row?.fields) return;
    const at = b % (row.fields.length - 1);
    const [left, right] = [row.fields[at] ?? '', row.fields[at + 1] ?? ''];
    row.fields = row.fields.with(at, left + right).with(at + 1, null);
  },
  changeSeal({ rows }, a, b) {
    const row = rows[a % rows.length];
    if (!row) return;
    if (b % 3 === 0) row.rule += 1;
    else if (b % 3 === 1) row.auditId += 1;
    else row.hash = `${row.hash.slice(1)}${row.hash[0]}`;
  },
  deleteContent({ rows }, a) {
    const row = rows[a % rows.length];
    if (row) row.fields = null;
  },
  delete({ rows }, a, b) {
    rows.splice(a % rows.length, 1 + (b % 3));
  },
  insert({ rows }, a, b) {
    const row = rows[b % rows.length];
    if (row) rows.splice(a % rows.length, 0, { ...row });
    for (const [index, one] of rows.entries()) one.seq = index + 1;
  },
  reorder({ rows }, a, b) {
    const [one, other] = [rows[a % rows.length], rows[b % rows.length]];
    if (!one || !other) return;
    const { auditId, fields } = one;
    Object.assign(one, { auditId: other.auditId, fields: other.fields });
    Object.assign(other, { auditId, fields });
  },
  cut({ rows }, a) {
    rows.splice(a % rows.length);
  },
  recompute(chain, a) {
    rehash(chain, a % chain.rows.length);
  },
  cutHeads({ heads }, a) {
    heads.splice(a % heads.length);
  },
  cutBoth(chain, a) {
    chain.heads.splice(a % chain.heads.length);
    chain.rows.splice(chain.heads.at(-1)?.rows ?? 0);
  },
  deleteHead({ heads }, a) {
    heads.splice(a % heads.length, 1);
  },
  swapHeads({ heads }, a, b) {
    const [one, other] = [heads[a % heads.length], heads[b % heads.length]];
    if (!one || !other) return;
    heads[a % heads.length] = { ...other, number: one.number };
    heads[b % heads.length] = { ...one, number: other.number };
  },
  changeHead({ heads }, a, b) {
    const head = heads[a % heads.length];
    if (!head) return;
    const changes = [
      { rows: head.rows + 1 },
      { at: head.at + 1 },
      { hash: head.previous },
      { previous: head.hash },
      { signature: heads[0]?.signature ?? '' },
      { key: otherKey.publicKey },
    ];
    Object.assign(head, changes[b % changes.length]);
  },
  resignHeads(chain, a) {
    resign(chain, a % chain.heads.length);
  },
  /** Appended rows have no copy of a head, so only the signing key reveals them. */
  append(chain, a, b) {
    const row = chain.rows[a % chain.rows.length];
    if (!row) return;
    chain.rows.push({ ...row });
    rehash(chain, chain.rows.length - 1);
    const last = chain.heads.at(-1);
    if (!last || b % 2 === 0) return;
    chain.heads.push({ ...last, rows: chain.rows.length });
    resign(chain, chain.heads.length - 1);
  },
  rewriteAll(chain, a) {
    rehash(chain, a % chain.rows.length);
    resign(chain, 0);
  },
};

const copyOf = (chain: Chain): Chain => structuredClone(chain);

/** The first and last row of the batch in which rows or heads first differ from the original. */
function changedBatch({ rows, heads }: Chain): { first: number; last: number } {
  const isRowSame = (index: number) => JSON.stringify(rows[index]) === JSON.stringify(original.rows[index]);
  const isHeadSame = (index: number) => JSON.stringify(heads[index]) === JSON.stringify(original.heads[index]);
  const total = original.rows.length;
  let row = 0;
  while (row < total && isRowSame(row)) row += 1;
  let head = 0;
  while (head < original.heads.length && isHeadSame(head)) head += 1;
  const batchOfRow = original.heads.findIndex((one) => one.rows > row);
  const batch = Math.min(batchOfRow < 0 ? original.heads.length : batchOfRow, head);
  // Added rows after the last head form one open batch.
  const end = Math.max(total, rows.length) + 1;
  return { first: (original.heads[batch - 1]?.rows ?? 0) + 1, last: original.heads[batch]?.rows ?? end };
}

test('server and script accept the original chain', async () => {
  expect(original.rows.length).toBeGreaterThanOrEqual(BATCHES * ROWS_PER_BATCH);
  expect(original.heads).toHaveLength(BATCHES);
  expect(await walk(original)).toMatchObject({ bad: null, unanchored: null, last: original.rows.length });
  expect(await firstBadOfScript(original)).toBeUndefined();
});

test(`detects ${TAMPERINGS} random tamperings, each in the batch where it begins`, async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(tamperings)), fc.nat(997), fc.nat(997));
  const steps = fc.array(step, { minLength: 1, maxLength: 4 });
  const found = new Map<string, number>();
  const property = fc.asyncProperty(steps, async (list) => {
    const chain = copyOf(original);
    for (const [name, a, b] of list) {
      // An earlier step may have removed everything.
      if (chain.rows.length > 0 && chain.heads.length > 0) tamperings[name]?.(chain, a, b);
    }
    // The tables return rows in the order of their numbers.
    chain.rows.sort((one, other) => one.seq - other.seq);
    chain.heads.sort((one, other) => one.number - other.number);
    fc.pre(JSON.stringify(chain) !== JSON.stringify(original));
    const { first, last } = changedBatch(chain);
    for (const row of [await firstBadOfServer(chain), await firstBadOfScript(chain)]) {
      expect(row).toBeGreaterThanOrEqual(first);
      expect(row).toBeLessThanOrEqual(last);
    }
    for (const [name] of list) found.set(name, (found.get(name) ?? 0) + 1);
  });
  await fc.assert(property, { numRuns: TAMPERINGS });
  expect([...found.keys()].sort()).toEqual(Object.keys(tamperings).sort());
});

/** SQL statements of the owner; `row` and `head` are numbers of a row and of a head. */
const statements: Record<string, (row: number, head: number) => string> = {
  change: (row) => `update audit set reason = 'other' where id = (select audit_id from audit_seal where seq = ${row})`,
  delete: (row) => `delete from audit where id = (select audit_id from audit_seal where seq = ${row})`,
  deleteBoth: (row) => `with gone as (delete from audit_seal where seq = ${row} returning audit_id)
    delete from audit where id in (select audit_id from gone)`,
  changeSeal: (row) => `update audit_seal set hash = repeat('0', 64) where seq = ${row}`,
  cut: (row) => `with gone as (delete from audit_seal where seq >= ${row} returning audit_id)
    delete from audit where id in (select audit_id from gone)`,
  cutHeads: (_row, head) => `delete from audit_head where number >= ${head}`,
  deleteHead: (_row, head) => `delete from audit_head where number = ${head}`,
  changeHead: (_row, head) => `update audit_head set rows = rows + 1 where number = ${head}`,
  swapHeads: (_row, head) => `update audit_head h set hash = o.hash, signature = o.signature from audit_head o
    where h.number = ${head} and o.number = ${(head % BATCHES) + 1}`,
};

const runVerify = (...args: string[]) =>
  runHengtai(server, ['verify', 'audit', ...args], { AUDIT_DIR: server.auditDir });

test(`the command detects ${STATEMENTS} random statements of the database's owner`, async () => {
  const tables = ['audit', 'audit_seal', 'audit_head'];
  for (const table of tables) await server.query(sql.raw(`create table kept_${table} as table ${table}`));
  // Only a copy of the heads and the fingerprint are out of the owner's reach.
  const copy = join(server.auditDir, 'kept.jsonl');
  await writeFile(copy, server.printedLines.join('\n'));
  await rm(join(server.auditDir, 'audit-heads.jsonl'));
  const args = ['--key', server.app.auditKey.fingerprint, '--heads', copy];
  expect(await runVerify(...args)).toMatchObject({ code: 0 });
  const row = fc.integer({ min: 1, max: original.rows.length });
  const choice = fc.tuple(fc.constantFrom(...Object.keys(statements)), row, fc.integer({ min: 1, max: BATCHES }));
  const property = fc.asyncProperty(choice, async ([name, seq, head]) => {
    await server.query(sql.raw(statements[name]?.(seq, head) ?? ''));
    const { code, text } = await runVerify(...args);
    for (const table of tables) await server.query(sql.raw(`truncate ${table}`));
    const columns =
      'id, operator_id, operator, session_id, ip, user_agent, action, target_type, target_id, user_id, account, agent_id, before, after, reason, approval_id, result, request_id, created_at, recorded_at';
    await server.query(
      sql.raw(`insert into audit (${columns}) overriding system value select ${columns} from kept_audit`),
    );
    await server.query(sql`insert into audit_seal select * from kept_audit_seal`);
    await server.query(sql`insert into audit_head select * from kept_audit_head`);
    expect(text).toContain('The audit chain is BROKEN');
    expect(text).toMatch(/First bad row: seal \d+/);
    expect(code).toBe(1);
  });
  await fc.assert(property, { numRuns: STATEMENTS });
});

test.each([
  ['change', 9, 3],
  ['deleteContent', 9, 0],
  ['cut', 9, 0],
] as const)('%s is reported with its exact row', async (name, a, b) => {
  const chain = copyOf(original);
  tamperings[name]?.(chain, a, b);
  expect(await firstBadOfServer(chain)).toBe(10);
  expect(await firstBadOfScript(chain)).toBe(10);
});
