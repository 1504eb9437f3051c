import type { ProposalKind } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletProposal } from '@hengtai/contract/funds/wallet-coin/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { compareAmounts } from '@hengtai/contract/values/money';

/** The settings: days of net outflow that hot wallets cover at least and at most; 0 is off. Decimal strings. */
export type CoverBounds = Readonly<Record<ProposalKind, string>>;

/** A wallet in use that is hot, warm or cold. Amounts are decimal strings. */
export interface CoverWallet {
  wallet: WalletProposal['from'];
  /** The text by which networks are compared. */
  networkKey: string;
  balance: string;
  /** What it can give: less than its balance if its last reading is less or transfers out of it are ordered; 0 without a reading. */
  available: string;
  /** What is ordered into it and has not arrived, and out of it and has not left, to or from wallets that are not hot. */
  coming: string;
  leaving: string;
}

export interface CoverCoin {
  /** Net outflow of a day, a decimal string above zero. */
  outflow: string;
  /** Decimals of its amounts. */
  precision: number;
  /** Those first that are known for longest. */
  wallets: readonly CoverWallet[];
}

/**
 * The transfer that brings hot wallets to the target if they cover too few or too many days; null if there is none, or no wallet that
 * could give within its platform and network. What is ordered is not proposed again: below the bound what comes counts as there, above
 * it what leaves counts as gone.
 */
export function proposeTransfer(coin: CoverCoin, bounds: CoverBounds): WalletProposal | null {
  const { outflow, wallets } = coin;
  const hot = ofKind(wallets, 'hot');
  const others = [...ofKind(wallets, 'cold'), ...ofKind(wallets, 'warm')];
  const held = sumOf(hot, 'balance');
  const [coming, leaving] = [sumOf(hot, 'coming'), sumOf(hot, 'leaving')];

  const low = held.plus(coming);
  if (isOn(bounds.topUp) && low.lt(new Decimal(bounds.topUp).mul(outflow)))
    return proposalOf('topUp', findPair(others, hot), { coin, bounds, covered: low, ordered: coming });
  const high = held.minus(leaving);
  if (isOn(bounds.sweep) && high.gt(new Decimal(bounds.sweep).mul(outflow)))
    return proposalOf('sweep', findPair(leaveParts(hot, coin, bounds), others), {
      coin,
      bounds,
      covered: high,
      ordered: leaving,
    });
  return null;
}

const isOn = (days: string): boolean => compareAmounts(days, '0') > 0;

const ofKind = (wallets: readonly CoverWallet[], kind: string): CoverWallet[] =>
  wallets.filter(({ wallet }) => wallet.kind === kind);

const sumOf = (wallets: readonly CoverWallet[], field: 'balance' | 'coming' | 'leaving'): Decimal =>
  Decimal.sum(0, ...wallets.map((wallet) => wallet[field]));

/** The middle between the bounds; with one bound only, twice the lower or half of the upper one. */
function targetDaysOf({ topUp, sweep }: CoverBounds): Decimal {
  if (!isOn(sweep)) return new Decimal(topUp).mul(2);
  return new Decimal(topUp).plus(sweep).div(2);
}

/** Days are those of the coin, and each network needs some of it: a hot wallet keeps at least its equal part of the target. */
function leaveParts(hot: readonly CoverWallet[], { outflow }: CoverCoin, bounds: CoverBounds): CoverWallet[] {
  const part = targetDaysOf(bounds).mul(outflow).div(hot.length);
  return hot.map((one) => ({ ...one, available: Decimal.max(new Decimal(one.available).minus(part), 0).toFixed() }));
}

interface Pair {
  from: CoverWallet;
  to: CoverWallet;
}

/** The wallet that has most to give, and the first one of its platform and network that takes it. */
function findPair(givers: readonly CoverWallet[], takers: readonly CoverWallet[]): Pair | undefined {
  for (const from of givers.toSorted((a, b) => compareAmounts(b.available, a.available))) {
    const to = takers.find(
      (one) => one.wallet.platformId === from.wallet.platformId && one.networkKey === from.networkKey,
    );
    if (to) return { from, to };
  }
  return undefined;
}

interface Basis {
  coin: CoverCoin;
  bounds: CoverBounds;
  /** What hot wallets hold, with `ordered`. */
  covered: Decimal;
  ordered: Decimal;
}

function proposalOf(
  kind: ProposalKind,
  pair: Pair | undefined,
  { coin: { outflow, precision }, bounds, covered, ordered }: Basis,
): WalletProposal | null {
  if (!pair) return null;
  const targetDays = targetDaysOf(bounds);
  const need = targetDays.mul(outflow).minus(covered).abs();
  const amount = Decimal.min(need, pair.from.available).toDecimalPlaces(precision, Decimal.ROUND_DOWN);
  if (amount.isZero()) return null;
  return {
    kind,
    from: pair.from.wallet,
    to: pair.to.wallet,
    amount: amount.toFixed(),
    missing: Decimal.max(need.minus(pair.from.available), 0).toFixed(),
    ordered: ordered.toFixed(),
    days: Decimal.max(covered, 0).div(outflow).toDecimalPlaces(1, Decimal.ROUND_DOWN).toFixed(),
    boundDays: new Decimal(bounds[kind]).toFixed(),
    targetDays: targetDays.toFixed(),
  };
}
