import { createHash, randomBytes } from 'node:crypto';

/**
 * The Merkle sum tree of a proof of liabilities, rule 1. docs/liability.md specifies it for authors of verifiers;
 * scripts/verify-liability.mjs is one that shares no line with this.
 */
export const LIABILITY_RULE = 1;
const FORMAT = 'hengtai.liability';

/** No sum is as large as this: an amount has at most 24 digits before the point and 18 behind it. */
const SUM_LIMIT = 10n ** 42n;
const ONE = 10n ** 18n;

/** Amounts in whole units of the last digit, one for each coin, in the order of the coins. */
export type Sums = readonly bigint[];

export interface TreeNode {
  hash: string;
  sums: Sums;
}

export interface TreeUser {
  id: number;
  account: string;
  sums: Sums;
}

export interface TreeLeaf extends TreeNode {
  userId: number;
  salt: string;
}

/** A balance that no honest book has; no proof is made with it. */
export class NotProvable extends Error {
  override name = 'NotProvable';
}

export function unitsOf(amount: string): bigint {
  const found = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(amount);
  if (!found) throw new NotProvable(`no amount: ${amount}`);
  const size = BigInt(found[2] ?? '0') * ONE + BigInt((found[3] ?? '').padEnd(18, '0'));
  return found[1] ? -size : size;
}

/** Canonical: no trailing zeros, no exponent. */
export function amountOf(units: bigint): string {
  const fraction = (units % ONE).toString().padStart(18, '0').replace(/0+$/, '');
  return `${units / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

/** SHA-256 over format, rule, domain and every field, each with its length in bytes before it, so that no content moves a border. */
export function hashOf(domain: string, fields: readonly (string | number)[]): string {
  const hash = createHash('sha256');
  for (const field of [FORMAT, LIABILITY_RULE, domain, ...fields].map(String)) {
    hash.update(`${Buffer.byteLength(field)}\n`);
    hash.update(field);
  }
  return hash.digest('hex');
}

/** Users in an order that says nothing about them: by the hash of their name and a secret of their own. */
export function shuffleUsers(users: readonly TreeUser[]): (TreeUser & { salt: string; owner: string })[] {
  return users
    .map((user) => {
      const salt = randomBytes(32).toString('hex');
      return { ...user, salt, owner: hashOf('owner', [salt, user.account]) };
    })
    .toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
}

/** @throws NotProvable for a balance below zero or out of bounds */
export function leafOf(
  id: number,
  index: number,
  coins: readonly string[],
  user: TreeUser & { salt: string; owner: string },
): TreeLeaf {
  const sums = checkBounds(user.sums);
  const balances = coins.flatMap((coin, at) => [coin, amountOf(sums[at] ?? 0n)]);
  return {
    userId: user.id,
    salt: user.salt,
    sums,
    hash: hashOf('leaf', [id, index, user.owner, coins.length, ...balances]),
  };
}

/** What stands beside a node that has nobody beside it. */
export const padOf = (id: number, level: number, index: number, coins: number): TreeNode => ({
  hash: hashOf('pad', [id, level, index]),
  sums: Array.from({ length: coins }, () => 0n),
});

/** The node above two; both children's sums are in its hash, so neither can be changed on account of the other. */
export function nodeOf(level: number, left: TreeNode, right: TreeNode): TreeNode {
  const sums = checkBounds(left.sums.map((sum, at) => sum + (right.sums[at] ?? 0n)));
  const fields = [left, right].flatMap((child) => [child.hash, ...child.sums.map(amountOf)]);
  return { hash: hashOf('node', [level, ...fields]), sums };
}

export interface RootOf {
  id: number;
  at: number;
  users: number;
  coins: readonly string[];
  top: TreeNode;
}

/** What is published: the top of the tree with everything that is said about it. */
export const rootOf = ({ id, at, users, coins, top }: RootOf): string =>
  hashOf('root', [
    id,
    at,
    users,
    coins.length,
    ...coins.flatMap((coin, index) => [coin, amountOf(top.sums[index] ?? 0n)]),
    top.hash,
  ]);

function checkBounds(sums: Sums): Sums {
  for (const sum of sums) if (sum < 0n || sum >= SUM_LIMIT) throw new NotProvable('an amount is out of bounds');
  return sums;
}
