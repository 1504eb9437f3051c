#!/usr/bin/env node
// Verifies an exported audit chain. It needs only Node.js and this file, so an auditor can copy, read and run it anywhere.
//
//   node verify-audit.mjs chain.jsonl --key <fingerprint or public key> [--heads <file>]...
//
// `chain.jsonl` comes from `npm run audit:verify -- --export chain.jsonl`. The key is the first one, printed at the first
// start; later keys follow from it. More than one is needed only where a key was lost: the oldest first. Files of heads are
// copies outside the database: a log, a copy of AUDIT_DIR, the platform. docs/audit-chain.md describes the format.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { createReadStream, readFileSync, realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// The same as in server/src/books/audit/chain.ts.
const RULE = 1;
const GENESIS = '0'.repeat(64);
const HASH = /^[0-9a-f]{64}$/;
const HEAD_FIELDS = ['number', 'previous', 'rows', 'hash', 'at', 'key', 'signature'];

/** A chain that does not verify. `row` is the first row that is not proven. */
class BrokenChain extends Error {
  constructor(row, message) {
    super(message);
    this.row = row;
  }
}

/** Encodes fields unambiguously: each with its length in bytes before it, "-" for null. */
const encode = (fields) =>
  fields.map((field) => (field === null ? '-\n' : `${Buffer.byteLength(field)}\n${field}`)).join('');

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const fingerprintOf = (publicKey) => sha256(Buffer.from(publicKey, 'base64'));

/** The fingerprint of a key that is given as fingerprint or as public key in base64. */
export function keyOf(text) {
  if (HASH.test(text.toLowerCase())) return text.toLowerCase();
  try {
    decodeKey(text);
  } catch {
    throw new Error(`--key ${text} is neither a fingerprint (64 hexadecimal digits) nor a public key in base64.`);
  }
  return fingerprintOf(text);
}

const textOf = ({ number, previous, rows, hash, at, key }) =>
  encode(['hengtai.audit.head', '1', String(number), previous, String(rows), hash, String(at), key]);

const isHead = (value) =>
  value?.type === 'audit.head' &&
  [value.number, value.rows, value.at].every(Number.isSafeInteger) &&
  [value.previous, value.hash, value.key, value.signature].every((text) => typeof text === 'string');

/** Cache of decoded keys. */
const decodedKeys = new Map();

function decodeKey(text) {
  if (!decodedKeys.has(text))
    decodedKeys.set(text, createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }));
  return decodedKeys.get(text);
}

function isSignedBy(publicKey, text, signature) {
  try {
    const key = decodeKey(publicKey);
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verifySignature(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const isSigned = (head) => isSignedBy(head.key, textOf(head), head.signature);

/** The handover of an audit row, which both keys have signed; undefined for every other row. */
function handoverIn(fields) {
  if (fields[6] !== 'audit.key' || fields[7] !== 'installation' || fields[13] === null) return undefined;
  const { from, to, signature, acceptance } = parse(fields[13]) ?? {};
  if (![from, to, signature, acceptance].every((text) => typeof text === 'string')) return undefined;
  const text = encode(['hengtai.audit.key', '1', from, to]);
  return isSignedBy(from, text, signature) && isSignedBy(to, text, acceptance) ? { from, to } : undefined;
}

/** The keys that may sign heads: the first of `roots`, then what handovers lead to. A later root follows a lost key. */
class Signers {
  constructor(roots) {
    this.roots = roots;
    this.nextRoot = 0;
    this.current = undefined;
    this.used = new Set();
    this.offers = [];
  }

  accepts(key) {
    const fingerprint = fingerprintOf(key);
    if (this.current === undefined) return fingerprint === this.roots[0];
    return fingerprint === this.current || this.roots.indexOf(fingerprint, this.nextRoot) >= 0;
  }

  takeRow(fields) {
    const handover = handoverIn(fields);
    if (handover) this.offers.push(handover);
  }

  /** A handover among the rows of an accepted head is effective from the next head on. No key returns. */
  takeHead(key) {
    const signer = fingerprintOf(key);
    const root = this.roots.indexOf(signer, this.nextRoot);
    if (root >= 0) this.nextRoot = root + 1;
    this.used.add(signer);
    const handover = this.offers.find(({ from, to }) => from === key && !this.used.has(fingerprintOf(to)));
    this.offers = [];
    this.current = handover ? fingerprintOf(handover.to) : signer;
    this.used.add(this.current);
  }

  isKnown(key) {
    return this.used.has(fingerprintOf(key)) || this.roots.includes(fingerprintOf(key));
  }
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The heads among the lines of a file, which may contain other lines. */
export const headsIn = (lines) => lines.map(parse).filter(isHead);

const ensure = (condition, row, problem) => {
  if (!condition) throw new BrokenChain(row, problem);
};

/** Throws unless a row follows from the previous one. */
function checkRow({ seq, auditId, rule, hash, fields }, previous) {
  const expected = previous.seq + 1;
  ensure(seq === expected, expected, `row ${expected} is missing`);
  ensure(fields !== null, seq, `the audit row of seal ${seq} is missing`);
  ensure(rule === RULE, seq, `row ${seq} was sealed by rule ${rule}, which this program does not know`);
  const isList = Array.isArray(fields) && fields.every((field) => field === null || typeof field === 'string');
  ensure(isList && fields[0] === String(auditId), seq, `row ${seq} is damaged`);
  ensure(sha256(encode([String(rule), String(seq), previous.hash, ...fields])) === hash, seq, `row ${seq} was changed`);
}

/** Throws unless a head follows from the previous one, has a trusted signature, and equals its copies. */
function checkHead(head, previous, signers, copiesByNumber) {
  const number = previous.number + 1;
  const first = previous.rows + 1;
  ensure(isHead(head), first, `head ${number} is damaged`);
  ensure(head.number === number, first, `head ${number} is missing`);
  ensure(head.previous === previous.link, first, `head ${number} is not linked to the one before it`);
  ensure(head.rows > previous.rows, first, `head ${number} covers no further row`);
  ensure(signers.accepts(head.key), first, `head ${number} was signed with another key`);
  ensure(isSigned(head), first, `the signature of head ${number} is wrong`);
  for (const copy of copiesByNumber.get(number) ?? []) {
    if (!signers.isKnown(copy.key)) continue;
    const isSame = HEAD_FIELDS.every((field) => copy[field] === head[field]);
    ensure(isSame, first, `head ${number} differs from its copy`);
  }
}

/**
 * Verifies a chain and returns its length. Throws an error with `row`, the first row that is not proven.
 *
 * @param lines the lines of the export
 * @param keys fingerprints of the keys that are trusted without a handover, the oldest first
 * @param copies heads stored outside the database
 */
export async function verify(lines, keys, copies) {
  const signers = new Signers(keys);
  const copiesByNumber = new Map();
  for (const copy of copies) {
    if (!isSigned(copy)) continue;
    copiesByNumber.set(copy.number, [...(copiesByNumber.get(copy.number) ?? []), copy]);
  }
  let row = { seq: 0, hash: GENESIS };
  let head = { number: 0, rows: 0, link: GENESIS };
  let hasHeader = false;
  let isEndChecked = false;
  const heads = [];
  let headIndex = 0;
  let checkedHeads = 0;

  function takeRow(found) {
    checkRow(found, row);
    const { seq, hash } = found;
    const next = heads[headIndex];
    if (!next) checkEnd();
    else if (checkedHeads === headIndex) {
      checkHead(next, head, signers, copiesByNumber);
      checkedHeads += 1;
    }
    row = { seq, hash };
    signers.takeRow(found.fields);
    if (next?.rows === seq) takeHead(next);
  }

  /** Throws if a head that has a copy is missing from the chain. */
  function checkEnd() {
    if (isEndChecked) return;
    const later = knownCopies()
      .filter((number) => number > head.number)
      .sort((a, b) => a - b)[0];
    ensure(later === undefined, head.rows + 1, `the end was cut off: head ${later} has a copy and is missing here`);
    isEndChecked = true;
  }

  /** Numbers of the heads with a copy that is signed by a key of this chain. */
  function knownCopies() {
    const isKnown = ([, found]) => found.some(({ key }) => signers.isKnown(key));
    return [...copiesByNumber].filter(isKnown).map(([number]) => number);
  }

  function takeHead(next) {
    ensure(next.hash === row.hash, row.seq, `head ${next.number} was signed for other rows up to ${row.seq}`);
    head = { number: next.number, rows: next.rows, link: sha256(textOf(next)) };
    headIndex += 1;
    signers.takeHead(next.key);
  }

  for await (const line of lines) {
    if (line === '') continue;
    const value = parse(line);
    if (!hasHeader) {
      ensure(value?.type === 'audit.chain' && value.version === 1, 1, 'the file is not an export of version 1');
      hasHeader = true;
    } else if (value?.type === 'audit.row') takeRow(value);
    else heads.push(value);
  }
  ensure(hasHeader, 1, 'the file is empty');
  const next = heads[headIndex];
  if (next) {
    checkHead(next, head, signers, copiesByNumber);
    ensure(false, row.seq + 1, `the end was cut off: head ${next.number} covers row ${next.rows}`);
  }
  checkEnd();
  return { rows: row.seq, anchored: head.rows, head, copies: knownCopies().length };
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
    if (count === 0) process.stdout.write('No copies of heads were given, so a truncated end cannot be detected.\n');
    return 0;
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    process.stdout.write(`The audit chain is BROKEN. First bad row: ${error.row}: ${error.message}.\n`);
    return 1;
  }
}

// The folder of an installation is a link, which Node.js resolves for the module only.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main().catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  });
}
