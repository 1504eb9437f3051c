import type { PlatformCommand } from '@hengtai/contract/gateway-commands';
import type { Ack, EventAnswer, PlatformEvent } from '@hengtai/contract/gateway.schema';
import { identityRefused, identityReviewed, newIdentity } from './kyc.ts';
import { handleCancel, placedAnswered, stepEngine } from './exchange/engine.ts';
import { handlePositionCommand, positionAnswered, stepFutures } from './exchange/future-engine.ts';
import { newPosition } from './exchange/future-trader.ts';
import { newOrder } from './exchange/trader.ts';
import { followAnswered, newFollow, handleFollowClose, signalPublished, stepFollows } from './follow.ts';
import { haltMarket, tickMarkets } from './market.ts';
import { ieoAnswered, ieoCancelAnswered, ieoReviewed, newIeo, stepIeos } from './ieo.ts';
import { isOfEnds, newBinaryContract, binaryContractEnded, binaryContractRefused } from './binary-contract.ts';
import { newRecharge, rechargeAnswered, stepRecharges } from './recharge.ts';
import { hourWeight } from './rhythm.ts';
import { answered, messageRefused, newTalk, stepTalks } from './support.ts';
import type { State } from './state.ts';
import { newTransfer, transferRefused } from './transfer.ts';
import { changeCredential, newUser, someLogin, users } from './user.ts';
import { payOut, stepWallet } from './wallet.ts';
import { cancelAnswered, newWithdraw, requestAnswered, reviewed, stepWithdrawals } from './withdraw.ts';
import { createWorld, draw, later, type Options, setBalance, type World } from './world.ts';

/** Recurring activities, with minimum and maximum seconds between two runs at normal activity. */
const ACTIVITIES: readonly { name: string; low: number; high: number; run: (world: World) => void }[] = [
  { name: 'recharge', low: 35, high: 90, run: newRecharge },
  { name: 'withdraw', low: 60, high: 140, run: newWithdraw },
  { name: 'login', low: 5, high: 14, run: someLogin },
  { name: 'transfer', low: 80, high: 200, run: newTransfer },
  { name: 'credential', low: 500, high: 1_100, run: (world) => changeCredential(world) },
  { name: 'identity', low: 150, high: 420, run: newIdentity },
  { name: 'order', low: 4, high: 12, run: newOrder },
  { name: 'second', low: 4, high: 11, run: newBinaryContract },
  { name: 'position', low: 6, high: 20, run: newPosition },
  { name: 'ieo', low: 170, high: 430, run: newIeo },
  { name: 'follow', low: 15, high: 60, run: newFollow },
  { name: 'talk', low: 90, high: 260, run: newTalk },
  { name: 'register', low: 120, high: 320, run: newUser },
];
const TICK_SECONDS = 2;
/** After a longer pause, activities continue from now instead of catching up in a burst. */
const CATCH_UP_MS = 2_000;

/** Creates the world of a state with a start time; the stored scale overrides the options. */
export function createSimulation(options: Options, state: State): World {
  const scene = { options: { ...options, ...state.scale }, state };
  return createWorld(scene.options, state, users(scene));
}

/** Runs everything due at `now` (Unix ms); new events are appended to the state's queue. */
export function step(world: World, now: number): void {
  world.now = now;
  stepRecharges(world);
  stepWithdrawals(world);
  stepIeos(world);
  stepWallet(world);
  recur(world, 'tick', TICK_SECONDS, TICK_SECONDS, tickMarkets);
  stepEngine(world);
  stepFutures(world);
  stepFollows(world);
  stepTalks(world);
  // The square root keeps some activity visible at night.
  const pace = Math.sqrt(hourWeight(now));
  for (const { name, low, high, run } of ACTIVITIES) recur(world, name, low / pace, high / pace, run);
}

/** Updates the state after the server's answer to an event. */
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
    case 'ieo.ordered':
      return ieoAnswered(world, event.data.no, answer.result);
    case 'ieo.cancelled':
      return ieoCancelAnswered(world, event.data.no, accepted);
    case 'auth.submitted':
      return accepted ? undefined : identityRefused(world, event.data.account, answer.reason);
    case 'order.placed':
      return placedAnswered(world, event.data.no, answer.result);
    case 'second.opened':
      return accepted ? undefined : binaryContractRefused(world, event.data.no);
    case 'position.placed':
      return positionAnswered(world, event.data.no, answer.result);
    case 'follow.opened':
      return followAnswered(world, event.data.no, answer.result);
    case 'message.received':
      return accepted ? undefined : messageRefused(world, event.data.account);
    case 'transfer.made':
      return accepted ? undefined : transferRefused(world, event.data);
    default:
      return undefined;
  }
}

/**
 * Executes a command and returns its ack, or undefined if the ack comes later or never. Unknown types are
 * acknowledged as done.
 */
export function handleCommand(world: World, command: PlatformCommand): Ack | undefined {
  const { state } = world;
  switch (command.type) {
    case 'withdraw.payout':
      reviewed(world, command.data.no, 2);
      return payOut(world, command);
    case 'withdraw.reviewed':
      reviewed(world, command.data.no, command.data.state);
      break;
    case 'auth.reviewed':
      identityReviewed(world, command.data.account, command.data.state);
      break;
    case 'order.cancel':
      return handleCancel(world, command);
    case 'position.cancel':
    case 'position.close':
      return handlePositionCommand(world, command);
    case 'signal.published':
      signalPublished(world, command.data);
      break;
    case 'follow.close':
      return handleFollowClose(world, command);
    case 'second.settled':
      binaryContractEnded(world, command.data.no, command.data.profit, command.at);
      break;
    case 'second.voided':
      binaryContractEnded(world, command.data.no, '0', command.at);
      break;
    case 'message.sent':
      answered(world, command.data.account);
      break;
    case 'ieo.reviewed':
      ieoReviewed(world, command.data.no);
      break;
    case 'balance.changed': {
      const { account, market, platform, active } = command.data;
      if (isOfEnds(world, account, platform, command.at)) break;
      // Users created by operators are not simulated.
      if (world.users.some((user) => user.account === account)) setBalance(world, account, market, platform, active);
      break;
    }
    case 'user.updated': {
      const { account, state: open, trade, ieoBuy } = command.data;
      state.frozen = listedIf(open === 0, account, state.frozen);
      state.closed = listedIf(trade === 0, account, state.closed);
      state.unsubscribed = listedIf(ieoBuy === 0, account, state.unsubscribed);
      break;
    }
    case 'user.deleted':
      // The simulation treats a deleted user like a frozen one.
      if (!state.frozen.includes(command.data.account)) state.frozen.push(command.data.account);
      break;
    case 'market.halted':
    case 'market.resumed':
      haltMarket(world, command.data.marketName, command.data.marketType, command.type === 'market.halted');
      break;
    default:
  }
  return { id: command.id, state: 'done' };
}

function listedIf(listed: boolean, account: string, accounts: readonly string[]): string[] {
  const others = accounts.filter((one) => one !== account);
  return listed ? [...others, account] : others;
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

/** Time of the next run. The random value depends on the time since the start, so no counter is needed. */
function pause(world: World, name: string, from: number, low: number, high: number): number {
  const dice = draw(world, 'pause', name, from - world.state.startedAt);
  return from + Math.max(later(world, dice, low, high) - world.now, 1);
}
