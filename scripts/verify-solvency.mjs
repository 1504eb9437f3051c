#!/usr/bin/env node
// Verifies what a platform states about its solvency: what it owes to its users and what its wallets hold, both signed, as of
// one entry of its ledger. It needs only Node.js and this file, so anybody can copy, read and run it anywhere.
//
//   node verify-solvency.mjs solvency.json --key <fingerprint> [--leaves leaves.jsonl] [--user proof.json] [--file <file>]...
//
// `solvency.json` has the statements. The key is the published fingerprint of the key that signed them. `leaves.jsonl` has a
// line for each user, from which the whole tree is computed; `proof.json` is a user's own proof. Each `--file` must be listed
// in the statement, as a file with ownership signatures. docs/liability.md describes the texts that are signed and hashed.
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// The same as in server/src/domains/desk/report/solvency.rules.ts and liability-tree.ts.
const [SOLVENCY, TREE, VERSION] = ['hengtai.solvency', 'hengtai.liability', 1];
const DECIMALS = 18;
const CHUNK_BYTES = 1 << 20;

class InvalidProof extends Error {}

function ensure(condition, problem) {
  if (!condition) throw new InvalidProof(problem);
}

/** What comes from a file, for a terminal: control characters and the like as their codes. */
const show = (text) => text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, (char) => `\\u{${char.codePointAt(0).toString(16)}}`);

/** Each field with its length in bytes before it, "-" for null, so that no two lists have the same encoding. */
function encode(fields) {
  let text = '';
  for (const field of fields) {
    if (field === null) text += '-\n';
    else text += `${typeof field === 'string' ? Buffer.byteLength(field) : String(field).length}\n${field}`;
  }
  return text;
}

const TREE_START = encode([TREE, VERSION]);
const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const hashOf = (name, fields) => sha256(TREE_START + encode([name, ...fields]));

// What files contain: records with exactly these fields, each of its form.
const matches = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
const isText = matches(/^[^]/);
const isHash = matches(/^[0-9a-f]{64}$/);
/** A canonical amount: no sign, exponent, leading or trailing zeros; at most 18 digits after the point. */
const isAmount = matches(/^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/);
const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
const isBase64 = (value) => isText(value) && Buffer.from(value, 'base64').toString('base64') === value;
const is = (expected) => (value) => value === expected;
const orNull = (check) => (value) => value === null || check(value);
const list = (check) => (value) => Array.isArray(value) && value.every(check);
const record = (fields) => (value) =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === Object.keys(fields).length &&
  Object.keys(fields).every((name) => Object.hasOwn(value, name) && fields[name](value[name]));

const isCoins = list(record({ marketName: isText, amount: isAmount }));
const MOMENT = { id: isWhole, at: isWhole, entry: isWhole };
const SIGNED = { key: isBase64, signature: isBase64 };
const HOLDING = {
  marketName: isText,
  network: isText,
  wallets: isWhole,
  wallet: orNull(isText),
  address: orNull(isText),
  memo: orNull(isText),
  amount: isAmount,
  block: orNull(isWhole),
  readAt: isWhole,
};
const LIABILITIES = { ...MOMENT, users: isWhole, totals: isCoins, root: isHash, ...SIGNED };
const ASSETS = {
  ...MOMENT,
  coins: list(record({ marketName: isText, held: orNull(isAmount) })),
  holdings: list(record(HOLDING)),
  files: list(record({ name: isText, sha256: isHash })),
  ...SIGNED,
};
const isSolvency = record({
  format: is(SOLVENCY),
  version: is(VERSION),
  liabilities: record(LIABILITIES),
  assets: record(ASSETS),
});
const isUserProof = record({
  format: is(TREE),
  version: is(VERSION),
  id: isWhole,
  at: isWhole,
  users: isWhole,
  index: isWhole,
  account: isText,
  salt: isHash,
  balances: isCoins,
  path: list(record({ hash: isHash, sums: list(isAmount) })),
  totals: isCoins,
  root: isHash,
});

/** An amount in whole units of 10^-18. */
function unitsOf(amount) {
  if (amount === '0') return 0n;
  ensure(isAmount(amount), 'an amount is not canonical');
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

function amountOf(units) {
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  let end = digits.length;
  const point = end - DECIMALS;
  while (end > point && digits[end - 1] === '0') end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

function ensureUnique(keys, problem) {
  ensure(new Set(keys).size === keys.length, problem);
}

const namesOf = (coins) => coins.map(({ marketName }) => marketName);
/** The number of records, then the values of each. */
const listFields = (records, names) => [records.length, ...records.flatMap((one) => names.map((name) => one[name]))];
const coinFields = (coins) => listFields(coins, ['marketName', 'amount']);
const liabilityFields = ({ id, at, entry, users, totals, root }) => [id, at, entry, users, ...coinFields(totals), root];
const assetFields = ({ id, at, entry, coins, holdings, files }) => [
  id,
  at,
  entry,
  ...listFields(coins, ['marketName', 'held']),
  ...listFields(holdings, Object.keys(HOLDING)),
  ...listFields(files, ['name', 'sha256']),
];

function checkSignature(name, fields, { key, signature }, fingerprint) {
  const der = Buffer.from(key, 'base64');
  const found = sha256(der);
  ensure(found === fingerprint, `the ${name} are signed by another key: ${found}`);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  ensure(publicKey.asymmetricKeyType === 'ed25519', 'the key is not an Ed25519 key');
  const text = Buffer.from(encode([SOLVENCY, VERSION, name, ...fields, key]));
  const isValid = verifySignature(null, text, publicKey, Buffer.from(signature, 'base64'));
  ensure(isValid, `the signature of the ${name} is not valid`);
}

/** Checks that no account is counted twice, and that the holdings of each coin add up to what is held. */
function checkHoldings({ at, coins, holdings, files }) {
  ensureUnique(namesOf(coins), 'the assets name a coin twice');
  ensureUnique(
    files.map(({ sha256 }) => sha256),
    'the assets list a file twice',
  );
  const isNamed = holdings.some(({ wallet }) => wallet !== null);
  for (const { wallets, wallet, address, readAt } of holdings) {
    ensure(isNamed === (wallet !== null), 'the holdings mix wallets and sums');
    ensure(isNamed ? wallets === 1 : wallets > 0 && address === null, 'a holding is not one wallet or a sum of some');
    ensure(readAt <= at, 'a reading is later than the statement');
  }
  const accounts = holdings.filter(({ address }) => !isNamed || address !== null);
  ensureUnique(
    accounts.map(({ marketName, network, address, memo }) => encode([marketName, network, address, memo])),
    'the holdings count an account twice',
  );
  const sums = new Map();
  for (const { marketName, amount } of holdings) sums.set(marketName, (sums.get(marketName) ?? 0n) + unitsOf(amount));
  for (const { marketName, held } of coins) {
    const sum = sums.get(marketName);
    const addsUp = held === null || (sum !== undefined && amountOf(sum) === held);
    ensure(addsUp, `the holdings of ${show(marketName)} do not add up`);
    sums.delete(marketName);
  }
  ensure(sums.size === 0, 'a holding is of a coin that the assets do not name');
}

// The tree of liabilities. A node is its hash, its sums, and the sums as texts.
const leafOf = (id, index, owner, names, amounts) => ({
  hash: hashOf('leaf', [id, index, owner, names.length, ...names.flatMap((name, at) => [name, amounts[at]])]),
  sums: amounts.map(unitsOf),
  texts: amounts,
});

function parentOf(level, left, right) {
  const sums = left.sums.map((sum, at) => sum + right.sums[at]);
  return {
    hash: hashOf('node', [level, left.hash, ...left.texts, right.hash, ...right.texts]),
    sums,
    // Most users hold few coins.
    texts: sums.map((sum, at) => {
      if (left.texts[at] === '0') return right.texts[at];
      return right.texts[at] === '0' ? left.texts[at] : amountOf(sum);
    }),
  };
}

/** Levels above the leaves. */
function depthOf(users) {
  let levels = 0;
  while (2 ** levels < users) levels += 1;
  return levels;
}

/** The top of the tree over the lines of a file of leaves. Keeps one node of each level. */
function topOf(lines, { id, users, totals }) {
  const names = namesOf(totals);
  const padOf = (level, index) => ({
    hash: hashOf('pad', [id, level, index]),
    sums: names.map(() => 0n),
    texts: names.map(() => '0'),
  });
  const depth = depthOf(users);
  const counts = Array.from({ length: depth + 1 }, () => 0);
  const waiting = [];
  const add = (added, from) => {
    let node = added;
    for (let level = from; ; level += 1) {
      counts[level] += 1;
      const left = waiting[level];
      waiting[level] = left ? undefined : node;
      if (!left) return;
      node = parentOf(level + 1, left, node);
    }
  };
  for (const line of lines) {
    const index = counts[0];
    const leaf = parseJson(line, `leaf ${index}`);
    ensure(Array.isArray(leaf) && leaf.length === names.length + 1 && isHash(leaf[0]), `leaf ${index} is malformed`);
    add(leafOf(id, index, leaf[0], names, leaf.slice(1)), 0);
  }
  ensure(counts[0] === users, `there are ${counts[0]} leaves of ${users} users`);
  for (let level = 0; level < depth; level += 1) if (waiting[level]) add(padOf(level, counts[level]), level);
  return waiting[depth] ?? padOf(0, 0);
}

/** Checks that a node is the top of the tree of the statement. */
function checkTop({ hash, texts }, { id, at, users, totals, root }) {
  for (const [index, { marketName, amount }] of totals.entries())
    ensure(texts[index] === amount, `the leaves do not add up to the total of ${show(marketName)}`);
  ensure(hashOf('root', [id, at, users, ...coinFields(totals), hash]) === root, 'the tree has another root');
}

/** Checks that a user's own proof leads to the root of the statement. */
function checkUser(proof, liabilities) {
  ensure(isUserProof(proof), 'the proof of the user has not exactly its fields, each of its form');
  const { id, users, index, salt, account, balances, path } = proof;
  for (const name of ['id', 'at', 'users', 'root'])
    ensure(proof[name] === liabilities[name], `the proof of the user has another ${name}`);
  const names = namesOf(liabilities.totals);
  const isSame = encode(coinFields(proof.totals)) === encode(coinFields(liabilities.totals));
  ensure(isSame && encode(namesOf(balances)) === encode(names), 'the proof of the user has other coins or totals');
  ensure(index < users && path.length === depthOf(users), 'the proof of the user is outside the tree');
  const amounts = balances.map(({ amount }) => amount);
  let node = leafOf(id, index, hashOf('owner', [salt, account]), names, amounts);
  for (const [level, { hash, sums: texts }] of path.entries()) {
    const sibling = { hash, sums: texts.map(unitsOf), texts };
    const isLeft = Math.floor(index / 2 ** level) % 2 === 0;
    node = isLeft ? parentOf(level + 1, node, sibling) : parentOf(level + 1, sibling, node);
  }
  checkTop(node, liabilities);
}

/** Held as a share of owed in percent, cut off after two digits; null without one of them. */
function ratioOf(held, owed) {
  if (held === null || owed === '0') return null;
  const hundredths = ((unitsOf(held) * 10_000n) / unitsOf(owed)).toString().padStart(3, '0');
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`;
}

/**
 * Verifies the statements and what belongs to them, and returns what they say of each coin. Throws with the reason if
 * anything is wrong.
 *
 * @param statement the parsed file of statements
 * @param key fingerprint of the key, from a source other than the file
 * @param leaves lines of the file of leaves, or undefined
 * @param proof a user's own proof, parsed, or undefined
 * @param files contents of files that the statement must list
 */
export function verify({ statement, key, leaves, proof, files = [] }) {
  ensure(isSolvency(statement), 'the statement has not exactly its fields, each of its form');
  const { liabilities, assets } = statement;
  checkSignature('liabilities', liabilityFields(liabilities), liabilities, key);
  checkSignature('assets', assetFields(assets), assets, key);
  for (const name of Object.keys(MOMENT))
    ensure(liabilities[name] === assets[name], `liabilities and assets have not the same ${name}`);
  ensureUnique(namesOf(liabilities.totals), 'the liabilities name a coin twice');
  checkHoldings(assets);
  for (const content of files) {
    const digest = sha256(content);
    const isListed = assets.files.some((file) => file.sha256 === digest);
    ensure(isListed, `the assets do not list the file ${digest}`);
  }
  if (leaves) checkTop(topOf(leaves, liabilities), liabilities);
  if (proof) checkUser(proof, liabilities);
  const { id, at, entry, users } = liabilities;
  return { id, at, entry, users, coins: coinsOf(statement, proof) };
}

function coinsOf({ liabilities, assets }, proof) {
  const owed = new Map(liabilities.totals.map(({ marketName, amount }) => [marketName, amount]));
  const own = new Map(proof?.balances.map(({ marketName, amount }) => [marketName, amount]));
  const names = new Set(namesOf(assets.coins));
  for (const name of owed.keys()) ensure(names.has(name), `the assets do not name ${show(name)}`);
  return assets.coins.map(({ marketName, held }) => {
    const debt = owed.get(marketName) ?? '0';
    const part = proof ? (own.get(marketName) ?? '0') : null;
    return { marketName, owed: debt, held, ratio: ratioOf(held, debt), own: part };
  });
}

/** The messages of `JSON.parse` repeat what it could not read, so they are not shown. */
function parseJson(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidProof(`${what} is not JSON`);
  }
}

/** Reads the lines of a file, which may be larger than a text can be. What they contain is ASCII. */
function* linesOf(path) {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest = '';
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      const lines = (rest + chunk.latin1Slice(0, bytes)).split('\n');
      rest = lines.pop();
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}

function describe({ marketName, owed, held, ratio, own }) {
  const holding = held === null ? 'held: not connected (未接入)' : `held ${held}`;
  const parts = [`owed ${owed}`, holding, ratio && `ratio ${ratio} %`, own && `${own} of it to this user`];
  return `  ${show(marketName)}: ${parts.filter(Boolean).join(', ')}\n`;
}

const USAGE =
  'usage: node verify-solvency.mjs solvency.json --key <fingerprint> [--leaves leaves.jsonl] [--user proof.json] [--file <file>]...\n';
const OPTIONS = {
  key: { type: 'string' },
  leaves: { type: 'string' },
  user: { type: 'string' },
  file: { type: 'string', multiple: true },
};

function main(args) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const key = values.key?.toLowerCase();
  if (positionals.length !== 1 || !isHash(key)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const readJson = (path) => parseJson(readFileSync(path, 'utf8'), path);
  try {
    const { at, entry, users, coins } = verify({
      statement: readJson(positionals[0]),
      key,
      leaves: values.leaves && linesOf(values.leaves),
      proof: values.user && readJson(values.user),
      files: values.file?.map((path) => readFileSync(path)),
    });
    process.stdout.write(
      `The proof holds: on ${new Date(at).toISOString()}, after entry ${entry} of the ledger, for ${users} users\n` +
        `${coins.map(describe).join('')}Checked: signatures and sums; the leaves of all users: ${values.leaves ? 'yes' : 'NO'}; ` +
        `one user's part: ${values.user ? 'yes' : 'NO'}\n`,
    );
    return 0;
  } catch (error) {
    process.stdout.write(`The proof does NOT hold: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

// The folder of an installation is a link, which Node.js resolves for the module only.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
