import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { verify as verifyExport } from '../../../../scripts/verify-audit.mjs';
import { recordAudit } from '../../actions/audit.store.ts';
import { type AuditKey, makeAuditKey, rootOf } from '../../host/audit-key.ts';
import { inTransaction } from '../../database/connect.ts';
import { type TestServer, testServer } from '../../../test/server.ts';
import { type AuditFields, GENESIS, RULE, type SealedRow, sealHash } from './chain.ts';
import { walkChain } from './check.ts';
import { chainLines } from './export.ts';
import { HANDOVER, type Handover, signHandover } from './handover.ts';
import { type Head, linkTo, signHead } from './head.ts';
import { makeHeadReader } from './head.store.ts';
import { readCopies } from './heads.ts';
import { sealPending } from './sealer.ts';
import { loadAnchors, readRows, verifyChain } from './verify.ts';

interface Chain {
  rows: SealedRow[];
  heads: Head[];
}

let server: TestServer;
/** The keys of the chain, in the order in which they sign. */
let first: AuditKey;
let second: AuditKey;
let third: AuditKey;
let stranger: AuditKey;
let original: Chain;

/** The last key of the chain as the key file holds it after two rotations. */
const lastKey = (): AuditKey => ({ ...third, root: first.fingerprint });

beforeAll(start);
afterAll(() => server.stop());

async function start(): Promise<void> {
  server = await testServer({ jobs: false });
  first = server.app.auditKey;
  second = makeAuditKey();
  third = makeAuditKey();
  stranger = makeAuditKey();
  await sealRows(first);
  await handOver(first, second);
  await sealRows({ ...second, previous: first });
  // A row that a stranger signed, and one that repeats an earlier handover, change nothing.
  await writeHandover(signHandover(stranger, stranger));
  await writeHandover(signHandover(first, second));
  await sealRows({ ...second, previous: first });
  await handOver(second, third);
  await sealRows({ ...third, previous: second, root: first.fingerprint });
  await sealRows(lastKey());
  original = await readChain();
}

/** Starts another chain for one test, which adds to it. */
async function startOwn(): Promise<void> {
  const shared = { server, first, second, third, stranger, original };
  await start();
  onTestFinished(async () => {
    await server.stop();
    ({ server, first, second, third, stranger, original } = shared);
  });
}

const who = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: 'r', now: 1 };

async function sealRows(auditKey: AuditKey): Promise<void> {
  for (let n = 0; n < 3; n += 1)
    await inTransaction(server.app.system, (db) =>
      recordAudit(db, who, { action: 'test.action', result: 200, after: { n } }),
    );
  await sealPending({ ...server.app, auditKey });
}

const writeHandover = (after: Handover): Promise<void> =>
  inTransaction(server.app.system, (db) => recordAudit(db, who, { ...HANDOVER, result: 200, after }));

async function handOver(from: AuditKey, to: AuditKey): Promise<void> {
  await writeHandover(signHandover(from, to));
  await sealRows({ ...to, previous: from });
}

async function readChain(): Promise<Chain> {
  return inTransaction(server.app.system, async (db) => {
    const chain: Chain = { rows: [], heads: [] };
    for await (const row of readRows(db)) chain.rows.push(row);
    const next = makeHeadReader(db);
    for (let head = await next(); head; head = await next()) chain.heads.push(head);
    return chain;
  });
}

const readerOf = (heads: readonly Head[]): (() => Promise<Head | undefined>) => {
  let at = 0;
  return () => Promise.resolve(heads[at++]);
};

/** The first bad row by the server's check and by the script, without any copy of a head; undefined if there is none. */
async function firstBad({ rows, heads }: Chain, keys: string[]): Promise<(number | undefined)[]> {
  const { bad } = await walkChain(rows, readerOf(heads), { keys, copies: [] });
  const byScript = await verifyExport(chainLines(rows, readerOf(heads)), keys, []).then(
    () => undefined,
    (error: { row: number }) => error.row,
  );
  return [bad?.seq, byScript];
}

/** Recomputes hashes from row `from` on, and signs all heads from number `head` on with a key. */
function forge(chain: Chain, from: number, head: number, key: AuditKey): void {
  for (let index = from - 1; index < chain.rows.length; index += 1) {
    const row = chain.rows[index];
    if (row?.fields) row.hash = sealHash(RULE, row.seq, chain.rows[index - 1]?.hash ?? GENESIS, row.fields);
  }
  for (let index = head - 1; index < chain.heads.length; index += 1) {
    const { number, rows, at } = chain.heads[index] as Head;
    const hash = chain.rows[rows - 1]?.hash ?? GENESIS;
    chain.heads[index] = signHead({ number, previous: linkTo(chain.heads[index - 1]), rows, hash, at }, key);
  }
}

const changeRow = (chain: Chain, seq: number, field: number, text: string): void => {
  const row = chain.rows[seq - 1] as SealedRow;
  row.fields = (row.fields as AuditFields).with(field, text);
};

const seqOfHandover = (to: AuditKey): number =>
  original.rows.find(({ fields }) => fields?.[6] === HANDOVER.action && fields[13]?.includes(`"to": "${to.publicKey}"`))
    ?.seq ?? 0;
const headAt = (seq: number): Head => original.heads.find(({ rows }) => rows >= seq) as Head;

describe('a chain whose key was rotated twice', () => {
  test('is signed by each key in turn: the head over a handover by the old one', () => {
    const signers = original.heads.map(({ key }) => [first, second, third].findIndex((one) => one.publicKey === key));
    expect(signers).toEqual([0, 0, 1, 1, 1, 2, 2]);
    expect(headAt(seqOfHandover(second)).key).toBe(first.publicKey);
  });

  test('holds with the fingerprint of the first key alone, and with no later one', async () => {
    expect(await firstBad(original, [first.fingerprint])).toEqual([undefined, undefined]);
    for (const key of [second, third]) expect(await firstBad(original, [key.fingerprint])).toEqual([1, 1]);
    const anchors = await loadAnchors(server.auditDir, lastKey());
    expect(anchors.keys).toEqual([first.fingerprint]);
    expect(rootOf({ ...second, previous: first })).toBe(first.fingerprint);
    expect(await verifyChain(server.owner, anchors)).toMatchObject({ ok: true, anchored: true, heads: 7, copies: 7 });
  });

  test('holds in steps that begin anywhere', async () => {
    const anchors = await loadAnchors(server.auditDir, lastKey());
    for (const { seq, hash } of original.rows)
      for (const count of [1, 1_000])
        expect(await verifyChain(server.owner, anchors, { after: seq, hash, count })).toMatchObject({ ok: true });
    const keys = [third.fingerprint];
    const last = original.rows[seqOfHandover(third) - 2];
    const range = { after: last?.seq ?? 0, hash: last?.hash ?? '', count: 1_000 };
    expect(await verifyChain(server.owner, { ...anchors, keys }, range)).toMatchObject({ ok: false });
  });

  test('compares copies of the heads of every key', async () => {
    const copies = await readCopies(server.auditDir);
    const heads = copies.map(({ head }) => head as Head);
    const lines = () => chainLines(original.rows, readerOf(original.heads));
    expect(await verifyExport(lines(), [first.fingerprint], heads)).toMatchObject({ copies: 7 });
    const shorter = copyOf(original);
    shorter.heads.splice(6);
    shorter.rows.splice(shorter.heads[5]?.rows ?? 0);
    const anchors = { keys: [first.fingerprint], copies };
    expect((await walkChain(shorter.rows, readerOf(shorter.heads), anchors)).bad?.problem).toContain('链尾被截断');
    await expect(
      verifyExport(chainLines(shorter.rows, readerOf(shorter.heads)), [first.fingerprint], heads),
    ).rejects.toThrow('the end was cut off: head 7 has a copy');
  });

  test('is signed by nobody who holds only the old key', async () => {
    await startOwn();
    await inTransaction(server.app.system, (db) => recordAudit(db, who, { action: 'test.action', result: 200 }));
    for (const auditKey of [first, { ...second, previous: first }, stranger])
      await expect(sealPending({ ...server.app, auditKey })).rejects.toThrow('was signed with another key');
    await sealPending({ ...server.app, auditKey: lastKey() });
    expect(await verifyChain(server.owner, await loadAnchors(server.auditDir, lastKey()))).toMatchObject({ ok: true });
  });
});

const copyOf = (chain: Chain): Chain => structuredClone(chain);

describe('a thief of the newest key', () => {
  const roots = (): string[] => [first.fingerprint];

  test('cannot sign the past again', async () => {
    const chain = copyOf(original);
    changeRow(chain, 2, 14, 'forged');
    forge(chain, 2, 1, third);
    expect(await firstBad(chain, roots())).toEqual([1, 1]);
    // Also not the part of the second key, with the first heads as they were.
    const later = copyOf(original);
    const from = (headAt(seqOfHandover(second)).rows ?? 0) + 1;
    changeRow(later, from, 14, 'forged');
    forge(later, from, 3, third);
    expect(await firstBad(later, roots())).toEqual([from, from]);
  });

  test('cannot write a handover of its own, nor move the real one', async () => {
    const chain = copyOf(original);
    const own = { ...signHandover(third, third), from: first.publicKey };
    changeRow(chain, 1, 6, HANDOVER.action);
    changeRow(chain, 1, 7, HANDOVER.targetType);
    changeRow(chain, 1, 13, JSON.stringify(own));
    forge(chain, 1, 2, third);
    // The first head is genuine, so it contradicts the changed rows.
    expect((await firstBad(chain, roots())).every((row) => row !== undefined && row <= headAt(1).rows)).toBe(true);
    const moved = copyOf(original);
    changeRow(moved, 1, 6, HANDOVER.action);
    changeRow(moved, 1, 7, HANDOVER.targetType);
    changeRow(moved, 1, 13, original.rows[seqOfHandover(second) - 1]?.fields?.[13] ?? '');
    forge(moved, 1, 1, second);
    expect(await firstBad(moved, roots())).toEqual([1, 1]);
  });

  test('cannot hide the past from a verifier that was given every key, in order', async () => {
    const chain = copyOf(original);
    changeRow(chain, 2, 14, 'forged');
    forge(chain, 2, 1, third);
    const all = [first, second, third].map(({ fingerprint }) => fingerprint);
    expect(await firstBad(chain, all)).toEqual([1, 1]);
  });
});

describe('a thief of the old key', () => {
  test('cannot go on signing after the handover', async () => {
    const chain = copyOf(original);
    const from = headAt(seqOfHandover(second)).rows + 1;
    forge(chain, from, 3, first);
    expect(await firstBad(chain, [first.fingerprint])).toEqual([from, from]);
  });

  test('cannot remove the handover', async () => {
    const chain = copyOf(original);
    changeRow(chain, seqOfHandover(second), 13, '{}');
    forge(chain, seqOfHandover(second), 2, first);
    chain.heads.splice(2, Infinity, ...original.heads.slice(2));
    expect((await firstBad(chain, [first.fingerprint])).every((row) => row !== undefined)).toBe(true);
  });
});

test('a lost key is followed by the next fingerprint, the oldest first', async () => {
  await startOwn();
  const lost = original.heads.at(-1)?.key;
  const next: AuditKey = {
    ...stranger,
    replaces: [first.fingerprint, third.fingerprint],
  };
  await sealRows(next);
  const { heads, rows } = await readChain();
  expect(heads.at(-1)?.key).toBe(stranger.publicKey);
  expect(heads.at(-2)?.key).toBe(lost);
  const keys = [first.fingerprint, stranger.fingerprint];
  expect(await firstBad({ rows, heads }, keys)).toEqual([undefined, undefined]);
  expect((await firstBad({ rows, heads }, keys.toReversed())).every((row) => row === 1)).toBe(true);
  expect((await firstBad({ rows, heads }, [first.fingerprint])).every((row) => row !== undefined)).toBe(true);
});
