import { sign } from 'node:crypto';
import type { Holding, Solvency } from '@hengtai/contract/desk/report/schema';
import { encodeFields } from '../../../books/audit/chain.ts';
import type { SigningKey } from '../../../host/audit-key.ts';
import type { WalletHolding } from '../../funds/wallet/holding.store.ts';
import { amountOf, unitsOf } from './liability-tree.ts';

/** docs/liability.md specifies the texts; scripts/verify-solvency.mjs is an independent verifier, which shares no code. */
export const SOLVENCY_RULE = 1;
const FORMAT = 'hengtai.solvency';

type Liabilities = Solvency['liabilities'];
type Assets = Solvency['assets'];
type Unsigned<T> = Omit<T, 'key' | 'signature'>;

export const signSolvency = (
  liabilities: Unsigned<Liabilities>,
  assets: Unsigned<Assets>,
  signer: SigningKey,
): Solvency => ({
  format: FORMAT,
  version: SOLVENCY_RULE,
  liabilities: { ...liabilities, ...signText('liabilities', fieldsOfLiabilities(liabilities), signer) },
  assets: { ...assets, ...signText('assets', fieldsOfAssets(assets), signer) },
});

type Fields = readonly (string | number | null)[];

function signText(name: string, fields: Fields, { privateKey, publicKey }: SigningKey) {
  const all = [FORMAT, SOLVENCY_RULE, name, ...fields, publicKey];
  const text = encodeFields(all.map((field) => (field === null ? null : String(field))));
  return { key: publicKey, signature: sign(null, Buffer.from(text), privateKey).toString('base64') };
}

/** The number of records, then the values of each. */
const listFields = <T extends Record<keyof T, string | number | null>>(
  records: readonly T[],
  names: readonly (keyof T)[],
): Fields => [records.length, ...records.flatMap((one) => names.map((name) => one[name]))];

const fieldsOfLiabilities = ({ id, at, entry, users, totals, root }: Unsigned<Liabilities>): Fields => [
  id,
  at,
  entry,
  users,
  ...listFields(totals, ['marketName', 'amount']),
  root,
];

const HOLDING_FIELDS = [
  'marketName',
  'network',
  'wallets',
  'wallet',
  'address',
  'memo',
  'amount',
  'block',
  'readAt',
] as const;

const fieldsOfAssets = ({ id, at, entry, coins, holdings, files }: Unsigned<Assets>): Fields => [
  id,
  at,
  entry,
  ...listFields(coins, ['marketName', 'held']),
  ...listFields(holdings, HOLDING_FIELDS),
  ...listFields(files, ['name', 'sha256']),
];

/** The platforms whose users have balances, by coin. */
export type PlatformsOfCoins = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * What the wallets hold, by coin. A coin counts as held only if each platform with balances of it has a wallet with a reading.
 *
 * @param coins the coins of the liabilities, which come first
 * @param isNamed lists each wallet instead of sums by coin and network
 */
export function stateAssets(
  read: readonly WalletHolding[],
  coins: readonly string[],
  { platforms, isNamed }: { platforms: PlatformsOfCoins; isNamed: boolean },
): Pick<Assets, 'coins' | 'holdings'> {
  const wallets = withoutRepetitions(read);
  const names = [...new Set([...coins, ...wallets.map(({ marketName }) => marketName)])];
  return {
    coins: names.map((marketName) => {
      const connected = new Set(
        read.filter((wallet) => wallet.marketName === marketName).map(({ platformId }) => platformId),
      );
      const isConnected =
        connected.size > 0 && [...(platforms.get(marketName) ?? [])].every((platform) => connected.has(platform));
      const own = wallets.filter((wallet) => wallet.marketName === marketName);
      return { marketName, held: isConnected ? sumOf(own) : null };
    }),
    holdings: isNamed ? wallets.map(nameWallet) : sumByNetwork(wallets),
  };
}

/** Two platforms may have named the same account; its latest reading counts. */
function withoutRepetitions(read: readonly WalletHolding[]): WalletHolding[] {
  const byAccount = new Map<string, WalletHolding>();
  for (const wallet of read) {
    const { marketName, networkKey, accountKey, memoKey, platformId, wallet: no } = wallet;
    const account = accountKey === null ? [platformId, no] : [accountKey, memoKey];
    const key = JSON.stringify([marketName, networkKey, ...account]);
    const other = byAccount.get(key);
    if (!other || other.readAt < wallet.readAt) byAccount.set(key, wallet);
  }
  return [...byAccount.values()];
}

const sumOf = (wallets: readonly WalletHolding[]): string =>
  amountOf(wallets.reduce((sum, { amount }) => sum + unitsOf(amount), 0n));

const nameWallet = ({ marketName, network, wallet, address, memo, amount, block, readAt }: WalletHolding): Holding => ({
  marketName,
  network,
  wallets: 1,
  wallet,
  address: address === '' ? null : address,
  memo: memo === '' ? null : memo,
  amount: amountOf(unitsOf(amount)),
  block,
  readAt,
});

function sumByNetwork(wallets: readonly WalletHolding[]): Holding[] {
  const groups = new Map<string, WalletHolding[]>();
  for (const wallet of wallets) {
    const key = JSON.stringify([wallet.marketName, wallet.networkKey]);
    const group = groups.get(key);
    if (group) group.push(wallet);
    else groups.set(key, [wallet]);
  }
  return [...groups.values()].map((own) => {
    const [first] = own as [WalletHolding];
    return {
      marketName: first.marketName,
      network: first.network,
      wallets: own.length,
      wallet: null,
      address: null,
      memo: null,
      amount: sumOf(own),
      block: leastOf(own.map(({ block }) => block)),
      readAt: leastOf(own.map(({ readAt }) => readAt)) ?? 0,
    };
  });
}

/** The least number; null if there is none. Wallets can be more than a call takes arguments. */
const leastOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((least, one) => (one === null || (least !== null && least <= one) ? least : one), null);
