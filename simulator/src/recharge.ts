import { PLATFORM } from '@hengtai/contract/money';
import { D, written } from './amount.ts';
import { address, confirmations, txHash } from './chain.ts';
import { amountDecimals, priceOf } from './market.ts';
import type { Random } from './random.ts';
import type { User } from './user.ts';
import { count, draw, emit, later, moveBalance, numbered, type World } from './world.ts';

const DAY = 86_400_000;
/** How often each coin is paid in. */
const SHARES: Readonly<Record<string, number>> = { USDT: 62, ETH: 12, BTC: 10, SOL: 6, XRP: 5, HTT: 5 };
/** The youngest recharge of the past has had the time to be confirmed. */
const LATEST_MS = 60_000;
const FAILED_SHARE = 0.03;
const REVERSED_SHARE = 0.004;

/** The past month's recharges, from which the first balances come; a few rich users among them. */
export function pastRecharges(world: World): void {
  const dice = draw(world, 'past recharges');
  const past = world.users.flatMap((user, index) => {
    const times = dice.weighted([
      [0, 12],
      [1, 50],
      [2, 28],
      [3, 10],
    ]);
    const rich = index % 23 === 5;
    const since = Math.min(user.age, 30 * DAY) - LATEST_MS;
    // Leaning to the present: about a quarter falls into the last day.
    return Array.from({ length: rich ? 2 : times }, () => ({
      user,
      rich,
      before: since * dice.next() ** 2.6 + 60_000,
    }));
  });
  past.sort((a, b) => b.before - a.before);
  for (const { user, rich, before } of past) {
    const at = world.state.startedAt - before;
    const no = detect(world, user, at, rich ? dice.logNormal(60_000, 0.5) : undefined);
    if (no !== undefined) conclude(world, no, 'credited', Math.min(at + dice.span(30, 600) * 1_000, world.now));
  }
}

/** A new recharge is seen on its chain. */
export function newRecharge(world: World): void {
  const user = draw(world, 'recharger', world.state.counters['recharge'] ?? 0).pick(world.users);
  detect(world, user, world.now);
}

/** Confirms, fails or takes back what is due. */
export function stepRecharges(world: World): void {
  for (const [no, pending] of Object.entries(world.state.recharges)) {
    if (pending.due > world.now || pending.due === 0) continue;
    conclude(world, no, pending.end, world.now);
  }
}

function detect(world: World, user: User, at: number, worth?: number): string | undefined {
  const number = count(world, 'recharge');
  const dice = draw(world, 'recharge', number);
  const open = world.markets.filter((one) => one.recharge && one.networks.some((network) => network.recharge));
  const market =
    worth === undefined && open.length > 0
      ? dice.weighted(open.map((one) => [one, SHARES[one.name] ?? 1] as const))
      : open.find((one) => one.name === 'USDT');
  if (!market) return undefined;
  const { network } = dice.pick(market.networks.filter((one) => one.recharge));
  const amount = rechargeAmount(world, dice, market.name, worth);
  const no = numbered(world, 'R', number);
  const end = dice.chance(FAILED_SHARE) && worth === undefined ? 'failed' : 'credited';
  world.state.recharges[no] = {
    account: user.account,
    market: market.name,
    amount,
    due: later(world, dice, 5, 25),
    end,
  };
  emit(
    world,
    'recharge.detected',
    no,
    {
      no,
      account: user.account,
      market: market.name,
      network,
      // Everybody has one address per network that is theirs to pay in to.
      address: address(network, draw(world, 'own address', user.account, network)),
      txHash: txHash(network, dice),
      amount,
      confirmations: dice.int(0, Math.max(confirmations(network) - 1, 0)),
      source: 1,
    },
    at,
  );
  return no;
}

function rechargeAmount(world: World, dice: Random, market: string, worth?: number): string {
  const value = Math.min(Math.max(worth ?? dice.logNormal(620, 1.5), 15), 400_000);
  // People send round sums more often than not, exchanges and wallets do not.
  const usdt = dice.chance(0.55) ? Math.max(Math.round(value / 50) * 50, 20) : value;
  return written(new D(usdt).div(priceOf(world, market)), amountDecimals(market));
}

function conclude(world: World, no: string, end: 'credited' | 'failed', at: number): void {
  const pending = world.state.recharges[no];
  if (!pending) return;
  // Its entry goes once the server has answered; until then it is not due again.
  pending.due = 0;
  if (end === 'failed') {
    emit(world, 'recharge.failed', no, { no, remark: '链上交易失败' }, at);
    return;
  }
  emit(world, 'recharge.credited', no, { no }, at);
}

/** The server's answer to the chain's last word. */
export function rechargeAnswered(world: World, no: string, credited: boolean): void {
  const pending = world.state.recharges[no];
  if (!pending) return;
  delete world.state.recharges[no];
  if (!credited) return;
  moveBalance(world, pending.account, pending.market, PLATFORM.fund, pending.amount);
  if (draw(world, 'reversed', no).chance(REVERSED_SHARE)) {
    moveBalance(world, pending.account, pending.market, PLATFORM.fund, new D(pending.amount).neg());
    emit(world, 'recharge.reversed', no, { no, remark: '区块重组，充值交易已失效' });
  }
}
