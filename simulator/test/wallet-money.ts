import type { EventData, PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { DEMO_CAPITAL } from '@hengtai/contract/gateway/simulator';
import { D } from '../src/amount.ts';

type Amount = InstanceType<typeof D>;

interface TrackedWallet extends Pick<EventData['wallet.saved'], 'kind' | 'market' | 'network' | 'address'> {
  opening: Amount | undefined;
  openingBlock: number;
  /** What changed it, by the block that says so. */
  changes: { amount: Amount; block: number }[];
}

/**
 * Computes from the events alone what wallets hold, as a reader of the chain does, and what the accounts of custody hold, as the
 * back office does. It knows nothing of how the simulator counts.
 */
export function trackWalletMoney() {
  const wallets = new Map<string, TrackedWallet>();
  const moves = new Map<string, EventData['chain.moved'] & { reverted: boolean; change: { amount: Amount } }>();
  const fees = new Map<string, string>();
  const custody = new Map<string, Amount>(Object.entries(DEMO_CAPITAL).map(([coin, amount]) => [coin, new D(amount)]));
  const recharges = new Map<string, { market: string; amount: string }>();
  const payouts = new Map<string, { market: string; amount: string }>();
  const paid = new Set<string>();
  const credited = new Set<string>();
  /** Readings that are not what the moves say. */
  const faults: string[] = [];
  let readings = 0;

  const addCustody = (market: string, change: Amount): void => {
    custody.set(market, (custody.get(market) ?? new D(0)).plus(change));
  };
  const mustFind = (no: string): TrackedWallet => {
    const wallet = wallets.get(no);
    if (!wallet) throw new Error(`the wallet ${no} was not saved`);
    return wallet;
  };
  const payerOf = (wallet: TrackedWallet, market: string): TrackedWallet => {
    if (wallet.market === market) return wallet;
    const found = [...wallets.values()].find(
      (one) => one.market === market && one.network === wallet.network && one.address === wallet.address,
    );
    if (!found) throw new Error(`no wallet of ${market} at ${wallet.address ?? ''} pays the fee`);
    return found;
  };
  const amountAt = ({ opening, openingBlock, changes }: TrackedWallet, block: number): Amount =>
    changes
      .filter((change) => change.block > openingBlock && change.block <= block)
      .reduce((sum, change) => sum.plus(change.amount), opening ?? new D(0));

  function read({ wallet: no, amount, block = 0 }: EventData['wallet.balance']): void {
    readings += 1;
    const wallet = mustFind(no);
    if (!wallet.opening) Object.assign(wallet, { opening: new D(amount), openingBlock: block });
    const expected = amountAt(wallet, block);
    if (!expected.eq(amount))
      faults.push(`${wallet.kind} ${wallet.market} ${wallet.network}: ${amount}, not ${expected.toFixed()}`);
  }

  function moveMoney(data: EventData['chain.moved']): void {
    const { no, wallet: walletNo, amount, txHash, fee, feeMarket, block = 0 } = data;
    const wallet = mustFind(walletNo);
    const change = { amount: new D(amount), block };
    wallet.changes.push(change);
    moves.set(no, { ...data, reverted: false, change });
    if (fee === undefined || fees.has(txHash)) return;
    fees.set(txHash, fee);
    payerOf(wallet, feeMarket ?? wallet.market).changes.push({ amount: new D(fee).neg(), block });
    addCustody(feeMarket ?? wallet.market, new D(fee).neg());
  }

  function onEvent({ type, data }: PlatformEvent): void {
    if (type === 'wallet.saved')
      wallets.set(data.wallet, { ...data, opening: undefined, openingBlock: 0, changes: [] });
    else if (type === 'wallet.balance') read(data);
    else if (type === 'chain.moved') moveMoney(data);
    else if (type === 'chain.reverted') {
      const move = moves.get(data.no);
      if (!move || move.reverted) throw new Error(`a revert of ${data.no}, which is not on the chain`);
      move.reverted = true;
      move.change.amount = new D(0);
    } else if (type === 'recharge.detected' || (type === 'recharge.credited' && data.market !== undefined))
      recharges.set(data.no, { market: data.market ?? '', amount: data.amount ?? '' });
    else if (type === 'withdraw.requested')
      payouts.set(data.no, { market: data.market, amount: new D(data.amount).minus(data.fee).toFixed() });
    else if (type === 'withdraw.imported' && data.booked)
      addCustody(data.market, new D(data.amount).minus(data.fee).neg());
    else if (type === 'withdraw.paid' && !paid.has(data.no)) {
      paid.add(data.no);
      addCustody(payouts.get(data.no)?.market ?? '', new D(payouts.get(data.no)?.amount ?? 0).neg());
    }
    if (type === 'recharge.credited' || type === 'recharge.reversed') {
      const { market = '', amount = '' } = recharges.get(data.no) ?? {};
      addCustody(market, new D(amount).mul(type === 'recharge.credited' ? 1 : -1));
      if (type === 'recharge.credited') credited.add(data.no);
      else credited.delete(data.no);
    }
  }

  /** Custody less wallets less what is under way, by coin: moves of payouts that are not paid yet, and credits without a move. */
  function findDifferences(isUnmoved: (recharge: string) => boolean): Record<string, string> {
    const left = new Map(custody);
    const take = (market: string, amount: Amount) => left.set(market, (left.get(market) ?? new D(0)).minus(amount));
    for (const wallet of wallets.values()) take(wallet.market, amountAt(wallet, Infinity));
    for (const { kind, record = '', reverted, amount, wallet } of moves.values())
      if (kind === 'payout' && !reverted && payouts.has(record) && !paid.has(record))
        take(mustFind(wallet).market, new D(amount).neg());
    for (const no of credited) {
      const { market, amount } = recharges.get(no) ?? { market: '', amount: '0' };
      if (isUnmoved(no)) take(market, new D(amount));
    }
    return Object.fromEntries([...left].flatMap(([coin, rest]) => (rest.isZero() ? [] : [[coin, rest.toFixed()]])));
  }

  return { onEvent, findDifferences, faults, wallets, moves, countReadings: () => readings };
}

/** Recharges that the scanner reports a second time: no money arrives for them. */
export function findRepeated(events: readonly PlatformEvent[]): Set<string> {
  const hashes = new Set<string>();
  const repeated = new Set<string>();
  for (const { type, data } of events) {
    if (type !== 'recharge.detected' || data.txHash === undefined) continue;
    if (hashes.has(data.txHash)) repeated.add(data.no);
    hashes.add(data.txHash);
  }
  return repeated;
}
