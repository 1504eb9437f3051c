import { DEMO_CAPITAL } from '@hengtai/contract/gateway/simulator';
import type { DecimalValue } from '@hengtai/contract/values/decimal';
import { createAddress } from '../address.ts';
import { type Amount, D, formatAmount } from '../amount.ts';
import { chainOf } from '../chain.ts';
import { amountDecimals } from '../market.ts';
import { firstMidnightOf } from '../user.ts';
import { type World, emit, formatNo, nextNumber, randomFor } from '../world.ts';
import type { LiveWallet, Treasury, WalletKind } from './records.ts';

const KIND_NAMES: Readonly<Record<WalletKind, string>> = {
  hot: '热钱包',
  cold: '冷钱包',
  deposit: '充值地址',
  gas: '矿工费钱包',
};

/** The treasury at the beginning of the past: it has the owner's capital of the demo, and reports nothing. */
export const createTreasury = (): Treasury => ({ unreported: { ...DEMO_CAPITAL }, wallets: [], arrivals: {} });

/** Height of the block that is formed at a time (Unix ms). */
export function heightAt(world: World, network: string, at: number): number {
  const { height, blockMs } = chainOf(network);
  return height + Math.floor((at - firstMidnightOf(world)) / blockMs);
}

type WalletPlace = Pick<LiveWallet, 'kind' | 'market' | 'network'>;

export const findWallet = ({ wallets }: Treasury, { kind, market, network }: WalletPlace): LiveWallet | undefined =>
  wallets.find((one) => one.kind === kind && one.market === market && one.network === network);

/** The wallet that pays the fees of what leaves an address in a coin that is not the chain's own. */
export const findGas = ({ wallets }: Treasury, { address, network }: LiveWallet): LiveWallet | undefined =>
  wallets.find((one) => one.kind === 'gas' && one.network === network && one.address === address);

/** Tells the server of a new wallet and its first reading, of what was there before the block that is formed now. */
function openWallet(
  world: World,
  treasury: Treasury,
  { amount, ...place }: WalletPlace & Pick<LiveWallet, 'amount'>,
  more: Pick<LiveWallet, 'address' | 'target'>,
): void {
  const { kind, market, network } = place;
  const block = heightAt(world, network, world.now) - 1;
  const no = formatNo(world, 'K', nextNumber(world, 'wallet'));
  const wallet: LiveWallet = { no, ...place, amount, block, before: amount, ...more };
  treasury.wallets.push(wallet);
  const { address } = wallet;
  const name = `${market} ${network} ${KIND_NAMES[kind]}`;
  const addressed = address === undefined ? {} : { address };
  emit(world, 'wallet.saved', no, { wallet: no, name, kind, market, network, ...addressed, state: 1 });
  report(world, wallet, amount, block, world.now);
}

function report(world: World, { no: wallet }: LiveWallet, amount: string, block: number, at: number): void {
  emit(world, 'wallet.balance', `${wallet}:${nextNumber(world, 'reading')}`, { wallet, amount, block }, at);
}

/** Shares of what the platform has of a coin on a network. */
const HOT_SHARE = 0.2;
const GAS_SHARE = 0.001;

/** Opens the wallets of a coin on a network, between which the amount is divided. */
export function openNetwork(world: World, treasury: Treasury, market: string, network: string, amount: Amount): void {
  const decimals = amountDecimals(market);
  const tokens = world.markets.filter((one) => one.name !== market && one.networks.some((n) => n.network === network));
  const pays = chainOf(network).native === market && tokens.length > 0;
  const addressOf = (kind: WalletKind, of: string): string =>
    createAddress(network, randomFor(world, 'wallet', kind, network, of));
  const gas = formatAmount(amount.mul(pays ? GAS_SHARE : 0), decimals);
  const hot = formatAmount(amount.mul(HOT_SHARE), decimals);
  const cold = amount.minus(hot).minus(gas).minus(gas).toFixed();
  // Coins that are no chain's own share their addresses, at which one wallet pays the fees of all.
  const owner = chainOf(network).native === market ? market : '';
  const open = (kind: WalletKind, held: string, target: string, address?: string): void =>
    openWallet(world, treasury, { kind, market, network, amount: held }, { target, ...(address && { address }) });
  open('hot', hot, hot, addressOf('hot', owner));
  open('cold', cold, '0', addressOf('cold', owner));
  open('deposit', '0', '0');
  if (!pays) return;
  for (const kind of ['hot', 'cold'] as const) open('gas', gas, gas, addressOf(kind, ''));
}

/** The wallet of this kind. Networks that operators list later begin with nothing. */
export function mustFindWallet(world: World, treasury: Treasury, place: WalletPlace): LiveWallet {
  const found = findWallet(treasury, place);
  if (found) return found;
  openNetwork(world, treasury, place.market, place.network, new D(0));
  const opened = findWallet(treasury, place);
  if (!opened) throw new Error(`no ${place.kind} wallet of ${place.market} on ${place.network} was opened`);
  return opened;
}

/** Changes what a wallet holds by what a block says. An earlier block than the last one changes what was before that. */
export function changeWallet(wallet: LiveWallet, change: DecimalValue, block: number): void {
  if (block > wallet.block) Object.assign(wallet, { block, before: wallet.amount });
  else if (block < wallet.block) wallet.before = new D(wallet.before).plus(change).toFixed();
  wallet.amount = new D(wallet.amount).plus(change).toFixed();
}

/**
 * Reports what each wallet holds after the last complete block. The time is just before now, so that nothing which follows has
 * the same.
 */
export function readWallets(world: World): void {
  const { treasury } = world.state;
  if (!treasury || treasury.unreported) return;
  const at = world.now - 1;
  for (const wallet of treasury.wallets) {
    const block = heightAt(world, wallet.network, at) - 1;
    report(world, wallet, wallet.block > block ? wallet.before : wallet.amount, block, at);
  }
}
