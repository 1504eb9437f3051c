#!/usr/bin/env node
// Verifies an exported audit chain. It needs nothing but Node.js and this file: copy it, read it, run it anywhere.
//
//   node verify-audit.mjs chain.jsonl --key <fingerprint or public key> [--heads <file>]...
//
// `chain.jsonl` comes from `npm run audit:verify -- --export chain.jsonl`, the key from where it was noted at the first
// start, and the files of heads from where they were kept: a log, a copy of AUDIT_DIR, the platform. The format is
// described in docs/audit-chain.md.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const RULE = 1;
const GENESIS = '0'.repeat(64);
const HASH = /^[0-9a-f]{64}$/;
const HEAD_FIELDS = ['number', 'previous', 'rows', 'hash', 'at', 'key', 'signature'];

/** The first thing that is wrong; `row` is the number of the first row that is not proven. */
class Broken extends Error {
  constructor(row, message) {
    super(message);
    this.row = row;
  }
}

/** Each field with its length in bytes before it, "-" for null. */
const encode = (fields) =>
  fields.map((field) => (field === null ? '-\n' : `${Buffer.byteLength(field)}\n${field}`)).join('');

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const fingerprintOf = (publicKey) => sha256(Buffer.from(publicKey, 'base64'));

/** A key as it was kept: its fingerprint, or the public key in base64. */
export const keyOf = (text) => (HASH.test(text.toLowerCase()) ? text.toLowerCase() : fingerprintOf(text));

const textOf = ({ number, previous, rows, hash, at, key }) =>
  encode(['hengtai.audit.head', '1', String(number), previous, String(rows), hash, String(at), key]);

const isHead = (value) =>
  value?.type === 'audit.head' &&
  [value.number, value.rows, value.at].every(Number.isSafeInteger) &&
  [value.previous, value.hash, value.key, value.signature].every((text) => typeof text === 'string');

/** Most chains have one key: it is decoded once. */
const decoded = new Map();

function decodeKey(text) {
  if (!decoded.has(text))
    decoded.set(text, createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }));
  return decoded.get(text);
}

function isSigned(head) {
  try {
    const key = decodeKey(head.key);
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verifySignature(null, Buffer.from(textOf(head)), key, Buffer.from(head.signature, 'base64'));
  } catch {
    return false;
  }
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The heads among the lines of a file that may hold other lines as well. */
export const headsIn = (lines) => lines.map(parse).filter(isHead);

const ensure = (holds, row, why) => {
  if (!holds) throw new Broken(row, why);
};

/** Whether a row follows from the one before it. */
function checkRow({ seq, auditId, rule, hash, fields }, previous) {
  const expected = previous.seq + 1;
  ensure(seq === expected, expected, `row ${expected} is missing`);
  ensure(fields !== null, seq, `the audit row of seal ${seq} is missing`);
  ensure(rule === RULE, seq, `row ${seq} was sealed by rule ${rule}, which this program does not know`);
  const isList = Array.isArray(fields) && fields.every((field) => field === null || typeof field === 'string');
  ensure(isList && fields[0] === String(auditId), seq, `row ${seq} is damaged`);
  ensure(sha256(encode([String(rule), String(seq), previous.hash, ...fields])) === hash, seq, `row ${seq} was changed`);
}

/** Whether a head follows from the one before it, is signed with a trusted key, and is as it was kept elsewhere. */
function checkHead(head, previous, keys, copied) {
  const number = previous.number + 1;
  const first = previous.rows + 1;
  ensure(isHead(head), first, `head ${number} is damaged`);
  ensure(head.number === number, first, `head ${number} is missing`);
  ensure(head.previous === previous.link, first, `head ${number} is not linked to the one before it`);
  ensure(head.rows > previous.rows, first, `head ${number} covers no further row`);
  ensure(keys.includes(fingerprintOf(head.key)), first, `head ${number} was signed with another key`);
  ensure(isSigned(head), first, `the signature of head ${number} is wrong`);
  for (const copy of copied.get(number) ?? []) {
    const isSame = HEAD_FIELDS.every((field) => copy[field] === head[field]);
    ensure(isSame, first, `head ${number} is unlike the copy that was kept`);
  }
}

/**
 * Checks a chain and returns how far it reaches. Throws an error with `row`, the first row that is not proven.
 *
 * @param lines the lines of the export
 * @param keys fingerprints of the keys that are trusted
 * @param copies heads that were kept elsewhere
 */
export async function verify(lines, keys, copies) {
  const copied = new Map();
  for (const copy of copies) {
    if (!keys.includes(fingerprintOf(copy.key)) || !isSigned(copy)) continue;
    copied.set(copy.number, [...(copied.get(copy.number) ?? []), copy]);
  }
  let row = { seq: 0, hash: GENESIS };
  let head = { number: 0, rows: 0, link: GENESIS };
  let begun = false;
  let ended = false;
  const heads = [];
  let taken = 0;
  let checked = 0;

  function takeRow(found) {
    checkRow(found, row);
    const { seq, hash } = found;
    const next = heads[taken];
    if (!next) checkEnd();
    else if (checked === taken) {
      checkHead(next, head, keys, copied);
      checked += 1;
    }
    row = { seq, hash };
    if (next?.rows === seq) takeHead(next);
  }

  /** No head of the chain may be left out that was kept elsewhere. */
  function checkEnd() {
    if (ended) return;
    const later = [...copied.keys()].filter((number) => number > head.number).sort((a, b) => a - b)[0];
    ensure(later === undefined, head.rows + 1, `the end was cut off: head ${later} was kept and is missing here`);
    ended = true;
  }

  function takeHead(next) {
    ensure(
      next.hash === row.hash,
      row.seq,
      `the rows up to ${row.seq} are not those that head ${next.number} was signed for`,
    );
    head = { number: next.number, rows: next.rows, link: sha256(textOf(next)) };
    taken += 1;
  }

  for await (const line of lines) {
    if (line === '') continue;
    const value = parse(line);
    if (!begun) {
      ensure(value?.type === 'audit.chain' && value.version === 1, 1, 'this is no export of version 1');
      begun = true;
    } else if (value?.type === 'audit.row') takeRow(value);
    else heads.push(value);
  }
  ensure(begun, 1, 'the file is empty');
  const next = heads[taken];
  if (next) {
    checkHead(next, head, keys, copied);
    ensure(false, row.seq + 1, `the end was cut off: head ${next.number} is about row ${next.rows}`);
  }
  checkEnd();
  return { rows: row.seq, anchored: head.rows, head, copies: copied.size };
}

const options = { key: { type: 'string', multiple: true }, heads: { type: 'string', multiple: true } };

async function main() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || !values.key) {
    process.stderr.write('usage: node verify-audit.mjs chain.jsonl --key <fingerprint> [--heads <file>]...\n');
    return 2;
  }
  const copies = (values.heads ?? []).flatMap((path) => headsIn(readFileSync(path, 'utf8').split('\n')));
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  try {
    const { rows, anchored, head, copies: count } = await verify(lines, values.key.map(keyOf), copies);
    if (rows > anchored) {
      process.stdout.write(`The audit chain is NOT ANCHORED: no signed head covers row ${anchored + 1} and later.\n`);
      return 3;
    }
    process.stdout.write(
      `The audit chain holds: ${rows} rows, ${head.number} signed heads, ${count} of them kept elsewhere.\n`,
    );
    if (count === 0)
      process.stdout.write('No head kept elsewhere was given: whether the end was cut off does not show.\n');
    return 0;
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    process.stdout.write(`The audit chain is BROKEN. First bad row: ${error.row}: ${error.message}.\n`);
    return 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main().catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  });
}
