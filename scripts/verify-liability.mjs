#!/usr/bin/env node
// Verifies that one user's balances are counted in a published proof of liabilities. It needs nothing but Node.js and this
// file: copy it, read it, run it anywhere.
//
//   node verify-liability.mjs proof.json <root>
//
// `proof.json` is the user's own proof, `root` the 64 hex digits that were published for it. What is hashed, and how, is
// written in docs/liability.md.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FORMAT = 'hengtai.liability';
const VERSION = 1;
const ONE = 10n ** 18n;
/** Sums have at most 24 digits before the point. */
const LIMIT = 10n ** 42n;
const HASH = /^[0-9a-f]{64}$/;
/** Canonical: no sign, no exponent, no leading and no trailing zeros, at most 18 digits behind the point. */
const AMOUNT = /^(0|[1-9][0-9]{0,23})(\.[0-9]{0,17}[1-9])?$/;

class Refused extends Error {}

const ensure = (holds, why) => {
  if (!holds) throw new Refused(why);
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

const whole = (value, least, what) =>
  ensure(Number.isSafeInteger(value) && value >= least, `${what} is not a whole number`);

function fieldsOf(value, names, what) {
  ensure(value !== null && typeof value === 'object' && !Array.isArray(value), `${what} is missing`);
  const own = Object.keys(value);
  const known = own.length === names.length && names.every((name) => own.includes(name));
  ensure(known, `${what} has other fields than ${names.join(', ')}`);
}

const PROOF = [
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

function checkForm(proof) {
  fieldsOf(proof, PROOF, 'the proof');
  ensure(proof.format === FORMAT, 'this is no proof of liabilities');
  ensure(proof.version === VERSION, `this program knows version ${VERSION} only`);
  whole(proof.id, 1, 'id');
  whole(proof.at, 0, 'at');
  whole(proof.users, 1, 'users');
  whole(proof.index, 0, 'index');
  ensure(proof.index < proof.users, 'index is outside of the tree');
  ensure(typeof proof.account === 'string' && proof.account.length > 0, 'account is missing');
  ensure(HASH.test(proof.salt), 'salt is not 64 hex digits');
  ensure(HASH.test(proof.root), 'root is not 64 hex digits');
  for (const list of ['balances', 'path', 'totals']) ensure(Array.isArray(proof[list]), `${list} is not a list`);
}

/** The coins of a list and their amounts; each coin once. */
function coinsIn(list, what) {
  const names = list.map((one) => {
    fieldsOf(one, ['marketName', 'amount'], what);
    ensure(typeof one.marketName === 'string' && one.marketName.length > 0, `${what} has a coin without a name`);
    return one.marketName;
  });
  ensure(new Set(names).size === names.length, `${what} names a coin twice`);
  return { names, sums: list.map((one) => unitsOf(one.amount, `${what}.${one.marketName}`)) };
}

/**
 * Throws a `Refused` that says why when the proof does not lead to the root; otherwise returns what it proves.
 *
 * @param proof the parsed file
 * @param root the published root, from another source than the file
 */
export function verify(proof, root) {
  ensure(typeof root === 'string' && HASH.test(root), 'the published root is not 64 hex digits');
  checkForm(proof);
  const own = coinsIn(proof.balances, 'balances');
  const totals = coinsIn(proof.totals, 'totals');
  ensure(own.names.join('\n') === totals.names.join('\n'), 'balances and totals name different coins');

  // The depth follows from the number of users, so that no path can be cut short or drawn out.
  let levels = 0;
  while (2 ** levels < proof.users) levels += 1;
  ensure(proof.path.length === levels, `the path has ${proof.path.length} steps instead of ${levels}`);

  const owner = hashOf('owner', [proof.salt, proof.account]);
  const balances = own.names.flatMap((name, at) => [name, amountOf(own.sums[at])]);
  let node = { hash: hashOf('leaf', [proof.id, proof.index, owner, own.names.length, ...balances]), sums: own.sums };
  let index = proof.index;
  proof.path.forEach((step, level) => {
    fieldsOf(step, ['hash', 'sums'], `path[${level}]`);
    ensure(HASH.test(step.hash), `path[${level}].hash is not 64 hex digits`);
    ensure(Array.isArray(step.sums) && step.sums.length === own.names.length, `path[${level}] has other coins`);
    const beside = { hash: step.hash, sums: step.sums.map((sum, at) => unitsOf(sum, `path[${level}].sums[${at}]`)) };
    const pair = index % 2 === 0 ? [node, beside] : [beside, node];
    const sums = node.sums.map((sum, at) => sum + beside.sums[at]);
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
  const said = totals.names.flatMap((name, at) => [name, amountOf(totals.sums[at])]);
  const found = hashOf('root', [proof.id, proof.at, proof.users, totals.names.length, ...said, node.hash]);
  ensure(found === proof.root, 'the path does not lead to the root in the file');
  ensure(found === root, 'the proof is of another root than the published one');
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

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
