import type { Ack, EventAnswer, PlatformCommand, PlatformEvent } from '@hengtai/contract/gateway.schema';
import { registerAgents } from './agent.ts';
import { tickMarkets } from './market.ts';
import { newRecharge, pastRecharges, rechargeAnswered, stepRecharges } from './recharge.ts';
import type { State } from './state.ts';
import { newTransfer, transferRefused } from './transfer.ts';
import { changeCredential, login, registerUsers, users } from './user.ts';
import { payOut, stepWallet } from './wallet.ts';
import {
  cancelAnswered,
  newWithdraw,
  OPENING,
  openingWithdraw,
  pastWithdrawals,
  requestAnswered,
  reviewed,
  stepWithdrawals,
} from './withdraw.ts';
import { createWorld, draw, later, type Options, setBalance, type World } from './world.ts';

/** What goes on all the time, and the seconds from one to the next. */
const ACTIVITIES: readonly { name: string; low: number; high: number; run: (world: World) => void }[] = [
  { name: 'tick', low: 2, high: 2, run: tickMarkets },
  { name: 'recharge', low: 4, high: 9, run: newRecharge },
  { name: 'withdraw', low: 8, high: 15, run: newWithdraw },
  { name: 'login', low: 3, high: 9, run: login },
  { name: 'transfer', low: 12, high: 30, run: newTransfer },
  { name: 'credential', low: 90, high: 200, run: (world) => changeCredential(world) },
];
/** After a longer pause the activities go on from now instead of making up for it in one burst. */
const CATCH_UP_MS = 2_000;
/** How long the requests that wait for a new operator take to come in, from one to the next. */
const OPENING_SECONDS = 0.25;

export const createSimulation = (options: Options, state: State): World =>
  createWorld(options, state, users(options.seed));

/** Lets everything happen that is due by now; what happened stands in the state's queue. */
export function step(world: World, now: number): void {
  world.now = now;
  if (world.state.startedAt === 0) begin(world);
  stepRecharges(world);
  stepWithdrawals(world);
  stepWallet(world);
  // The first requests need balances, so they come once the server has answered what the first balances come from.
  if ((world.state.counters['opening'] ?? 0) < OPENING.length) {
    const calm = world.state.queue.length < 20;
    if (calm) recur(world, 'opening', OPENING_SECONDS, OPENING_SECONDS, openingWithdraw);
  }
  for (const { name, low, high, run } of ACTIVITIES) recur(world, name, low, high, run);
}

/** What the server's answer means for what the simulator believes. */
export function settle(world: World, event: PlatformEvent, answer: EventAnswer): void {
  const accepted = answer.result !== 'rejected';
  switch (event.type) {
    case 'recharge.credited':
      return rechargeAnswered(world, event.data.no, accepted);
    case 'recharge.failed':
      return rechargeAnswered(world, event.data.no, false);
    case 'withdraw.requested':
      return requestAnswered(world, event.data.no, answer.result);
    case 'withdraw.cancelled':
      return cancelAnswered(world, event.data.no, accepted);
    case 'transfer.made':
      return accepted ? undefined : transferRefused(world, event.data);
    default:
      return undefined;
  }
}

/** Does what a command says; types it does not know are fine with it, too. */
export function obey(world: World, command: PlatformCommand): Ack | undefined {
  const { state } = world;
  switch (command.type) {
    case 'withdraw.payout':
      reviewed(world, command.data.no, 2);
      return payOut(world, command);
    case 'withdraw.reviewed':
      reviewed(world, command.data.no, command.data.state);
      break;
    case 'balance.changed': {
      const { account, market, platform, active } = command.data;
      // Customers that operators added are left to those who added them.
      if (world.users.some((user) => user.account === account)) setBalance(world, account, market, platform, active);
      break;
    }
    case 'user.updated':
      state.frozen = state.frozen.filter((account) => account !== command.data.account);
      if (command.data.state === 0) state.frozen.push(command.data.account);
      break;
    case 'user.deleted':
      // Nobody is there any more; to the rest of the simulation that is as good as frozen.
      if (!state.frozen.includes(command.data.account)) state.frozen.push(command.data.account);
      break;
    default:
  }
  return { id: command.id, state: 'done' };
}

function begin(world: World): void {
  world.state.startedAt = world.now;
  registerAgents(world);
  registerUsers(world);
  tickMarkets(world);
  pastWithdrawals(world);
  pastRecharges(world);
}

function recur(world: World, name: string, low: number, high: number, run: (world: World) => void): void {
  let due = world.due.get(name) ?? pause(world, name, world.now, low, high);
  if (due < world.now - CATCH_UP_MS) due = world.now;
  while (due <= world.now) {
    run(world);
    due = pause(world, name, due, low, high);
  }
  world.due.set(name, due);
}

/** When it is next due; drawn by the moment since the beginning, so that no counter is needed. */
function pause(world: World, name: string, from: number, low: number, high: number): number {
  const dice = draw(world, 'pause', name, from - world.state.startedAt);
  return from + Math.max(later(world, dice, low, high) - world.now, 1);
}
