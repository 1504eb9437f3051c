#!/usr/bin/env node
// Verifies that a user's balances are included in a published proof of liabilities. It needs only Node.js and this file, so a
// user can copy, read and run it anywhere.
//
//   node verify-liability.mjs proof.json <root>
//
// `proof.json` is the user's own proof, `root` the published root (64 hex digits). docs/liability.md describes the hashing.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The same as in server/src/domains/desk/report/liability-tree.ts.
const FORMAT = 'hengtai.liability';
const VERSION = 1;
const ONE = 10n ** 18n;
/** Limit of sums: at most 24 digits before the point. */
const LIMIT = 10n ** 42n;
const HASH = /^[0-9a-f]{64}$/;
/** A canonical amount: no sign, exponent, leading or trailing zeros; at most 18 digits after the point. */
const AMOUNT = /^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/;

class InvalidProof extends Error {}

const ensure = (condition, problem) => {
  if (!condition) throw new InvalidProof(problem);
};

function hashOf(domain, fields) {
  const hash = createHash('sha256');
  for (const field of [FORMAT, VERSION, domain, ...fields].map(String)) {
    hash.update(`${Buffer.byteLength(field)}\n`);
    hash.update(field);
  }
  return hash.digest('hex');
}

/** An amount in whole units of 10^-18. */
function unitsOf(amount, what) {
  ensure(typeof amount === 'string' && AMOUNT.test(amount), `${what} is not a canonical amount of zero or more`);
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'));
}

function amountOf(units) {
  const fraction = (units % ONE).toString().padStart(18, '0').replace(/0+$/, '');
  return `${units / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

const ensureWhole = (value, minimum, name) =>
  ensure(Number.isSafeInteger(value) && value >= minimum, `${name} is not a whole number of at least ${minimum}`);

function ensureFields(value, names, what) {
  ensure(value !== null && typeof value === 'object' && !Array.isArray(value), `${what} is missing`);
  const own = Object.keys(value);
  const known = own.length === names.length && names.every((name) => own.includes(name));
  ensure(known, `${what} must have exactly the fields ${names.join(', ')}`);
}

const PROOF_FIELDS = [
  'format',
  'version',
  'id',
  'at',
  'users',
  'index',
  'account',
  'salt',
  'balances',
  'path',
  'totals',
  'root',
];

function checkFormat(proof) {
  ensureFields(proof, PROOF_FIELDS, 'the proof');
  ensure(proof.format === FORMAT, 'the file is not a proof of liabilities');
  ensure(proof.version === VERSION, `version ${proof.version} is unknown; this program verifies version ${VERSION}`);
  ensureWhole(proof.id, 1, 'id');
  ensureWhole(proof.at, 0, 'at');
  ensureWhole(proof.users, 1, 'users');
  ensureWhole(proof.index, 0, 'index');
  ensure(proof.index < proof.users, 'index is outside the tree');
  ensure(typeof proof.account === 'string' && proof.account.length > 0, 'account is missing');
  ensure(HASH.test(proof.salt), 'salt is not 64 hex digits');
  ensure(HASH.test(proof.root), 'root is not 64 hex digits');
  for (const list of ['balances', 'path', 'totals']) ensure(Array.isArray(proof[list]), `${list} is not a list`);
}

/** Parses the coins and amounts of a list. Throws if a coin is listed twice. */
function parseCoins(list, what) {
  const names = list.map((one) => {
    ensureFields(one, ['marketName', 'amount'], what);
    ensure(typeof one.marketName === 'string' && one.marketName.length > 0, `${what} has a coin without a name`);
    return one.marketName;
  });
  ensure(new Set(names).size === names.length, `${what} names a coin twice`);
  return { names, sums: list.map((one) => unitsOf(one.amount, `${what}.${one.marketName}`)) };
}

/**
 * Verifies a proof and returns the proven balances. Throws an `InvalidProof` with the reason if it does not lead to the root.
 *
 * @param proof the parsed file
 * @param root the published root, from a source other than the file
 */
export function verify(proof, root) {
  ensure(typeof root === 'string' && HASH.test(root), 'the published root is not 64 hex digits');
  checkFormat(proof);
  const own = parseCoins(proof.balances, 'balances');
  const totals = parseCoins(proof.totals, 'totals');
  ensure(own.names.join('\n') === totals.names.join('\n'), 'balances and totals name different coins');

  // The number of users determines the depth, so that a path cannot be shortened or extended.
  let levels = 0;
  while (2 ** levels < proof.users) levels += 1;
  ensure(proof.path.length === levels, `the path has ${proof.path.length} steps instead of ${levels}`);

  const owner = hashOf('owner', [proof.salt, proof.account]);
  const balances = own.names.flatMap((name, at) => [name, amountOf(own.sums[at])]);
  let node = { hash: hashOf('leaf', [proof.id, proof.index, owner, own.names.length, ...balances]), sums: own.sums };
  let index = proof.index;
  proof.path.forEach((step, level) => {
    ensureFields(step, ['hash', 'sums'], `path[${level}]`);
    ensure(HASH.test(step.hash), `path[${level}].hash is not 64 hex digits`);
    ensure(Array.isArray(step.sums) && step.sums.length === own.names.length, `path[${level}] has other coins`);
    const sibling = { hash: step.hash, sums: step.sums.map((sum, at) => unitsOf(sum, `path[${level}].sums[${at}]`)) };
    const pair = index % 2 === 0 ? [node, sibling] : [sibling, node];
    const sums = node.sums.map((sum, at) => sum + sibling.sums[at]);
    ensure(
      sums.every((sum) => sum < LIMIT),
      `the sums overflow at path[${level}]`,
    );
    node = { hash: hashOf('node', [level + 1, ...pair.flatMap((one) => [one.hash, ...one.sums.map(amountOf)])]), sums };
    index = Math.floor(index / 2);
  });

  node.sums.forEach((sum, at) =>
    ensure(sum === totals.sums[at], `the sums do not add up to the total of ${totals.names[at]}`),
  );
  const totalFields = totals.names.flatMap((name, at) => [name, amountOf(totals.sums[at])]);
  const found = hashOf('root', [proof.id, proof.at, proof.users, totals.names.length, ...totalFields, node.hash]);
  ensure(found === proof.root, 'the path does not lead to the root in the file');
  ensure(found === root, 'the proof has another root than the published one');
  return { account: proof.account, at: proof.at, users: proof.users, balances: proof.balances, totals: proof.totals };
}

function main([file, root]) {
  if (!file || !root) {
    process.stderr.write('usage: node verify-liability.mjs proof.json <published root>\n');
    return 2;
  }
  try {
    const proven = verify(JSON.parse(readFileSync(file, 'utf8')), root.toLowerCase());
    const lines = proven.balances.map(
      ({ marketName, amount }, at) => `  ${amount} of ${proven.totals[at].amount} ${marketName}`,
    );
    process.stdout.write(
      `The proof holds: on ${new Date(proven.at).toISOString()} ${proven.account}, one of ${proven.users} users, was counted with\n${lines.join('\n')}\n`,
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
