// @module-tag full
import { createHash, generateKeyPairSync } from 'node:crypto';
import { makeAuditKey } from '../../../host/audit-key.ts';
import type { LiabilityProof, Solvency } from '@hengtai/contract/desk/report/schema';
import { expect, test } from 'vitest';
import { verify } from '../../../../../scripts/verify-solvency.mjs';
import { makeRandom } from '../../../../../testing/random.ts';
import {
  type Sums,
  type TreeNode,
  amountOf,
  leafOf,
  nodeOf,
  padOf,
  rootOf,
  shuffleUsers,
  unitsOf,
} from './liability-tree.ts';
import { signSolvency } from './solvency.rules.ts';

/** Everything that is verified together. */
interface Proof {
  statement: Solvency;
  leaves: string[];
  proof: LiabilityProof;
}

const COUNT = 1_000;
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_130);
const COINS = ['USDT', 'BTC', '币'];
const AT = 1_700_000_000_000;
const random = makeRandom(SEED);
const key = makeAuditKey();

interface TreeInput {
  id: number;
  /** The balances of each user; the first user is the one whose own proof is made. */
  users: readonly (readonly string[])[];
}

function buildProof({ id, users }: TreeInput, { isNamed }: { isNamed: boolean }): Proof {
  const shuffled = shuffleUsers(
    users.map((amounts, index) => ({ id: index, account: `user${index}`, sums: amounts.map(unitsOf) })),
  );
  const nodes = shuffled.map((user, index) => leafOf(id, index, COINS, user));
  const index = shuffled.findIndex((user) => user.id === 0);
  const { top, path } = climb(id, nodes, index);
  const totals = withCoins(top.sums);
  const root = rootOf({ id, at: AT, users: users.length, coins: COINS, top });
  const moment = { id, at: AT, entry: 99 };
  const holdings = COINS.slice(0, 2).flatMap((marketName, coin) =>
    ['TRC20', 'ERC20'].map((network, at) => ({
      marketName,
      network,
      wallets: isNamed ? 1 : 3,
      wallet: isNamed ? `w${coin}${at}` : null,
      address: isNamed ? `T${coin}${at}` : null,
      memo: isNamed && at === 1 ? '7' : null,
      amount: `${10 + coin}.5`,
      block: at === 0 ? 1_000 + coin : null,
      readAt: AT - 1_000,
    })),
  );
  const coins = [
    { marketName: 'USDT', held: '21' },
    { marketName: 'BTC', held: '23' },
    { marketName: '币', held: null },
  ];
  const files = [
    { name: 'cold.sig', sha256: 'a'.repeat(64) },
    { name: 'warm.sig', sha256: 'b'.repeat(64) },
  ];
  const statement = signSolvency(
    { ...moment, users: users.length, totals, root },
    { ...moment, coins, holdings, files },
    key,
  );
  const [user, leaf] = [shuffled[index], nodes[index]];
  if (!user || !leaf) throw new Error('the first user is missing');
  return {
    statement,
    leaves: shuffled.map(({ owner, sums }) => JSON.stringify([owner, ...sums.map(amountOf)])),
    proof: {
      format: 'hengtai.liability',
      version: 1,
      id,
      at: AT,
      users: users.length,
      index,
      account: user.account,
      salt: user.salt,
      balances: withCoins(leaf.sums),
      path,
      totals,
      root,
    },
  };
}

const withCoins = (sums: Sums) => COINS.map((marketName, at) => ({ marketName, amount: amountOf(sums[at] ?? 0n) }));

/** The top of the tree, and the siblings on the way from a leaf to it. */
function climb(id: number, leaves: readonly TreeNode[], from: number) {
  const path: LiabilityProof['path'] = [];
  let nodes = leaves;
  for (let level = 0, index = from; nodes.length > 1; level += 1, index >>= 1) {
    if (nodes.length % 2 === 1) nodes = [...nodes, padOf(id, level, nodes.length, COINS.length)];
    const sibling = nodes[index ^ 1] as TreeNode;
    path.push({ hash: sibling.hash, sums: sibling.sums.map(amountOf) });
    nodes = nodes.flatMap((left, at) => (at % 2 === 0 ? [nodeOf(level + 1, left, nodes[at + 1] as TreeNode)] : []));
  }
  return { top: nodes[0] as TreeNode, path };
}

const isAccepted = (proof: Proof): boolean => {
  try {
    verify({ ...proof, key: key.fingerprint });
    return true;
  } catch {
    return false;
  }
};

type Json = null | number | string | Json[] | { [name: string]: Json };

/** Changes one value inside another, at random: its own, or the number or order of a list. */
function changeSomething(value: Json): Json {
  if (typeof value === 'number') return random.pick([value + 1, value - 1, String(value), null]);
  if (typeof value === 'string') return changeText(value);
  if (value === null) return random.pick(['', '0', 'x', 0]);
  if (Array.isArray(value)) {
    const at = random.int(value.length || 1);
    const changes: Json[] = [[...value, value[at] ?? 'x']];
    if (value.length > 0) changes.push(value.toSpliced(at, 1), value.with(at, changeSomething(value[at] ?? null)));
    if (value.length > 1) changes.push(value.toReversed());
    return random.pick(changes);
  }
  const name = random.pick(Object.keys(value));
  const { [name]: old = null, ...rest } = value;
  const change = random.int(8);
  if (change === 0) return rest;
  if (change === 1) return { ...value, more: 1 };
  return { ...value, [name]: changeSomething(old) };
}

function changeText(text: string): string {
  const at = random.int(text.length || 1);
  const other = random.pick(['0', '1', '9', 'f', '.', '-', ' ', '=', '\n', 'é'].filter((char) => char !== text[at]));
  return random.pick([
    text.slice(0, at) + other + text.slice(at + 1),
    text.slice(0, at) + other + text.slice(at),
    `${text}0`,
    text.slice(0, -1) || 'x',
  ]);
}

function change<T>(value: T): T {
  for (;;) {
    const changed = changeSomething(value as Json);
    // A list of equal values is the same in reverse.
    if (JSON.stringify(changed) !== JSON.stringify(value)) return changed as T;
  }
}

/** Signs changed statements with the key of the house. */
function signAgain(statement: Solvency, more: { liabilities?: object; assets?: object }): Solvency {
  const { liabilities, assets } = statement;
  return signSolvency({ ...liabilities, ...more.liabilities }, { ...assets, ...more.assets }, key);
}

const USERS = [
  ['5', '1.25', '0'],
  ['0', '0', '3'],
  ['7.000000000000000001', '0', '0'],
  ['0.5', '2', '0'],
  ['100', '0', '0.1'],
];
const USERS_MORE = [...USERS, ['1', '1', '1'], ['0', '0', '0']];

/** What a forger without the key of the house can do, and what the house itself could try. */
const tamperings: Record<string, (proof: Proof, isNamed: boolean) => Proof> = {
  'a value of the statements': (proof) => ({ ...proof, statement: change(proof.statement) }),
  'a value of the liabilities': (proof) => ({
    ...proof,
    statement: { ...proof.statement, liabilities: change(proof.statement.liabilities) },
  }),
  'a value of the assets': (proof) => ({
    ...proof,
    statement: { ...proof.statement, assets: change(proof.statement.assets) },
  }),
  "a value of the user's proof": (proof) => ({ ...proof, proof: change(proof.proof) }),
  'a leaf': ({ leaves, ...proof }) => {
    const at = random.int(leaves.length);
    return { ...proof, leaves: leaves.with(at, JSON.stringify(change(JSON.parse(leaves[at] ?? '') as Json))) };
  },
  'the number or order of the leaves': ({ leaves, ...proof }) => {
    const at = random.int(leaves.length);
    const swapped = leaves.with(at, leaves[0] ?? '').with(0, leaves[at] ?? '');
    const changes = [leaves.toSpliced(at, 1), [...leaves, leaves[at] ?? ''], leaves.toReversed(), []];
    return { ...proof, leaves: random.pick(at === 0 ? changes : [...changes, swapped]) };
  },
  'a statement of another key': (proof) => {
    const { liabilities, assets } = proof.statement;
    const other = signSolvency(liabilities, assets, makeAuditKey());
    return { ...proof, statement: random.pick([other, { ...other, liabilities }, { ...other, assets }]) };
  },
  'the assets of another moment, by the house': (proof) => {
    const { id, at, entry } = proof.statement.assets;
    const moment = random.pick([{ id: id + 1 }, { at: at + 1 }, { entry: entry + 1 }, { entry: entry - 1 }]);
    return { ...proof, statement: signAgain(proof.statement, { assets: moment }) };
  },
  'what is owed, by the house': (proof) => {
    const { totals, users, root } = proof.statement.liabilities;
    const at = random.int(totals.length);
    const less = totals.map((coin, index) => (index === at ? { ...coin, amount: '0.25' } : coin));
    const liabilities = random.pick([
      { totals: less },
      { totals: totals.toSpliced(at, 1) },
      { totals: totals.toReversed() },
      { users: users - 1 },
      { root: root.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    ]);
    return { ...proof, statement: signAgain(proof.statement, { liabilities }) };
  },
  'what is held, by the house': (proof, isNamed) => {
    const { coins, holdings } = proof.statement.assets;
    const [first, ...rest] = holdings as [(typeof holdings)[0]];
    const heldOf = (marketName: string, held: string | null) =>
      coins.map((coin) => (coin.marketName === marketName ? { marketName, held } : coin));
    const assets = random.pick<object>([
      { coins: heldOf('USDT', '21.000000000000000001') },
      { coins: heldOf('币', '0') },
      { coins: heldOf('币', '5') },
      { coins: coins.filter(({ marketName }) => marketName !== '币') },
      { holdings: rest },
      { holdings: [{ ...first, amount: '99' }, ...rest] },
      { holdings: [...holdings, first], coins: heldOf('USDT', '31.5') },
      { holdings: [...holdings, { ...first, marketName: 'NEW' }] },
      { holdings: [{ ...first, readAt: AT + 1 }, ...rest] },
      { holdings: [{ ...first, wallet: isNamed ? null : 'w' }, ...rest] },
      { holdings: [{ ...first, wallets: 0 }, ...rest] },
    ]);
    return { ...proof, statement: signAgain(proof.statement, { assets }) };
  },
  'a user with less in a whole new tree, by the house': (proof, isNamed) => {
    const { id } = proof.statement.liabilities;
    const less = random.pick([USERS.slice(1), [['4.999999999999999999', '1.25', '0'], ...USERS.slice(1)]]);
    const { statement, leaves } = buildProof({ id, users: less }, { isNamed });
    return { ...proof, statement, leaves };
  },
  'the leaves of another proof': (proof, isNamed) => {
    const id = random.pick([proof.proof.id, proof.proof.id + 1]);
    return { ...proof, leaves: buildProof({ id, users: USERS_MORE }, { isNamed }).leaves };
  },
};

test(`finds ${COUNT} tamperings of every kind`, () => {
  const kinds = Object.entries(tamperings);
  const [sums, named] = [false, true].map((isNamed) => buildProof({ id: 7, users: USERS }, { isNamed }));
  for (let n = 0; n < COUNT; n += 1) {
    const isNamed = random.int(2) === 0;
    const proof = (isNamed ? named : sums) as Proof;
    const [kind, tamper] = kinds[n % kinds.length] as (typeof kinds)[0];
    const tampered = tamper(proof, isNamed);
    expect(JSON.stringify(tampered)).not.toBe(JSON.stringify(proof));
    if (isAccepted(tampered))
      expect.fail(`seed ${SEED}, tampering ${n}, ${kind}: ${JSON.stringify({ proof, tampered })}`);
  }
  expect([sums, named].map((proof) => isAccepted(proof as Proof))).toEqual([true, true]);
});

test.each([1, 2, 3, 6, 8, 9])('accepts a proof of %i users, with any of its parts', (count) => {
  const users = Array.from({ length: count }, (_, index) => USERS_MORE[index % USERS_MORE.length] ?? []);
  const { statement, leaves, proof } = buildProof({ id: 1, users }, { isNamed: true });
  const coins = verify({ statement, leaves, proof, key: key.fingerprint }).coins;
  expect(coins).toMatchObject([
    { held: '21', own: '5' },
    { held: '23', own: '1.25' },
    { held: null, own: '0' },
  ]);
  for (const part of [{ leaves }, { proof }, {}])
    expect(verify({ statement, ...part, key: key.fingerprint }).coins.map(({ owed }) => owed)).toEqual(
      coins.map(({ owed }) => owed),
    );
});

test('rejects what the statements alone contradict, although the house has signed it', () => {
  const { statement } = buildProof({ id: 7, users: USERS }, { isNamed: false });
  const { liabilities, assets } = statement;
  const rejects = (changed: Solvency, problem: string, fingerprint = key.fingerprint) =>
    expect(() => verify({ statement: changed, key: fingerprint })).toThrow(problem);
  const { totals } = liabilities;
  rejects(
    signAgain(statement, { liabilities: { totals: [...totals, totals[0]] } }),
    'the liabilities name a coin twice',
  );
  rejects(
    signAgain(statement, { assets: { coins: [...assets.coins, assets.coins[2]] } }),
    'the assets name a coin twice',
  );
  rejects(
    signAgain(statement, { assets: { files: [...assets.files, assets.files[0]] } }),
    'the assets list a file twice',
  );
  const { privateKey, publicKey } = generateKeyPairSync('ed448');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const other = {
    privateKey,
    publicKey: der.toString('base64'),
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
  rejects(signSolvency(liabilities, assets, other), 'not an Ed25519 key', other.fingerprint);
});

// The house could make a tree in which somebody owes it, and a root over smaller totals.
test('rejects a leaf below zero and false totals in a tree whose hashes are right', () => {
  const hashOf = (...fields: (string | number)[]): string => {
    const all = ['hengtai.liability', 1, ...fields].map(String);
    return createHash('sha256')
      .update(all.map((field) => `${Buffer.byteLength(field)}\n${field}`).join(''))
      .digest('hex');
  };
  const proofOf = (amounts: readonly [string, string], total: string) => {
    const owners = ['a', 'b'].map((account) => hashOf('owner', 'c'.repeat(64), account));
    const leaves = amounts.map((amount, index) => hashOf('leaf', 7, index, owners[index] ?? '', 1, 'USDT', amount));
    const top = hashOf('node', 1, ...leaves.flatMap((leaf, index) => [leaf, amounts[index] ?? '']));
    const moment = { id: 7, at: AT, entry: 1 };
    const statement = signSolvency(
      {
        ...moment,
        users: 2,
        totals: [{ marketName: 'USDT', amount: total }],
        root: hashOf('root', 7, AT, 2, 1, 'USDT', total, top),
      },
      { ...moment, coins: [{ marketName: 'USDT', held: null }], holdings: [], files: [] },
      key,
    );
    return {
      statement,
      key: key.fingerprint,
      leaves: amounts.map((amount, index) => JSON.stringify([owners[index], amount])),
    };
  };
  expect(verify(proofOf(['5', '3'], '8')).coins).toMatchObject([{ owed: '8' }]);
  expect(() => verify(proofOf(['5', '-3'], '2'))).toThrow('not canonical');
  expect(() => verify(proofOf(['5', '3'], '7'))).toThrow('do not add up to the total of USDT');
});
