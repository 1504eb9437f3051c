import { createHash, randomBytes } from 'node:crypto';

/**
 * Version of the Merkle sum tree. docs/liability.md specifies it; scripts/verify-liability.mjs is an independent
 * verifier, which shares no code with this file.
 */
export const LIABILITY_RULE = 1;
/** The same as in `scripts/verify-liability.mjs`. */
const FORMAT = 'hengtai.liability';

/** Exclusive upper bound of sums: 24 integer digits and 18 decimals, in units of 1e-18. */
const SUM_LIMIT = 10n ** 42n;
const ONE = 10n ** 18n;

/** Amounts in units of 1e-18, one per coin, in the order of the coins. */
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

/** Thrown for amounts that a correct ledger cannot contain; no proof is made from them. */
export class NotProvable extends Error {
  override name = 'NotProvable';
}

/** Parses a decimal string into units of 1e-18. @throws NotProvable for a malformed amount */
export function unitsOf(amount: string): bigint {
  const found = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(amount);
  if (!found) throw new NotProvable(`"${amount}" is not an amount`);
  const size = BigInt(found[2] ?? '0') * ONE + BigInt((found[3] ?? '').padEnd(18, '0'));
  return found[1] ? -size : size;
}

/** Canonical decimal string of a non-negative amount: no trailing zeros, no exponent. */
export function amountOf(units: bigint): string {
  const fraction = (units % ONE).toString().padStart(18, '0').replace(/0+$/, '');
  return `${units / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * SHA-256 over format, version, domain and fields, each with its byte length before it to keep the encoding
 * unambiguous.
 */
function hashOf(domain: string, fields: readonly (string | number)[]): string {
  const hash = createHash('sha256');
  for (const field of [FORMAT, LIABILITY_RULE, domain, ...fields].map(String)) {
    hash.update(`${Buffer.byteLength(field)}\n`);
    hash.update(field);
  }
  return hash.digest('hex');
}

/** The hash that stands for a user in the leaf. */
export const ownerOf = (salt: string, account: string): string => hashOf('owner', [salt, account]);

/** Gives each user a random salt and sorts by the salted hash of the account, so the order reveals nothing. */
export function shuffleUsers(users: readonly TreeUser[]): (TreeUser & { salt: string; owner: string })[] {
  return users
    .map((user) => {
      const salt = randomBytes(32).toString('hex');
      return { ...user, salt, owner: ownerOf(salt, user.account) };
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

/** Padding node with zero sums, the sibling of the last node of a level with an odd number of nodes. */
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

export interface RootFields {
  id: number;
  at: number;
  users: number;
  coins: readonly string[];
  top: TreeNode;
}

/** The published hash: it covers the top node and the metadata of the proof. */
export const rootOf = ({ id, at, users, coins, top }: RootFields): string =>
  hashOf('root', [
    id,
    at,
    users,
    coins.length,
    ...coins.flatMap((coin, index) => [coin, amountOf(top.sums[index] ?? 0n)]),
    top.hash,
  ]);

function checkBounds(sums: Sums): Sums {
  for (const sum of sums)
    if (sum < 0n || sum >= SUM_LIMIT)
      throw new NotProvable(`the sum ${sum} (in units of 1e-18) is negative or too large`);
  return sums;
}
