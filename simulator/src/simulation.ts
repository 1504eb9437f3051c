import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { Ack, EventAnswer } from '@hengtai/contract/gateway/schema';
import { onIdentityRefused, onIdentityReviewed, createSubmission } from './kyc.ts';
import { handleCancel, onOrderAnswer, stepEngine } from './exchange/engine.ts';
import { handlePositionCommand, onPositionAnswer, stepFutures } from './exchange/future-engine.ts';
import { createPosition } from './exchange/future-trader.ts';
import { createOrder } from './exchange/trader.ts';
import { onFollowAnswer, createFollow, handleFollowClose, onSignalPublished, stepFollows } from './follow.ts';
import { haltMarket, tickMarkets } from './market.ts';
import { onIeoAnswer, onIeoCancelAnswer, onIeoReviewed, createIeo, stepIeos } from './ieo.ts';
import {
  isSettlementReport,
  createBinaryContract,
  onBinaryContractEnded,
  onBinaryContractRefused,
} from './binary-contract.ts';
import { createRecharge, onRechargeAnswer, stepRecharges } from './recharge.ts';
import { hourWeight } from './rhythm.ts';
import { onMessageAnswered, onMessageRefused, createTalk, stepTalks } from './support.ts';
import { screen, stepScreenings } from './screening.ts';
import type { State } from './state.ts';
import { createTransfer, onTransferRefused } from './transfer.ts';
import { changeCredential, createUser, loginRandomUser, createUsers } from './user.ts';
import { payOut, stepWallet } from './wallet.ts';
import { moveCoins } from './wallet-move.ts';
import { balanceWallets } from './wallets/moves.ts';
import { readWallets } from './wallets/wallets.ts';
import {
  onWithdrawCancelAnswer,
  createWithdraw,
  onWithdrawAnswer,
  onWithdrawReviewed,
  stepWithdrawals,
} from './withdraw.ts';
import { createWorld, randomFor, timeFromNow, type Options, setBalance, type World } from './world.ts';

/** Recurring activities, with minimum and maximum seconds between two runs at normal activity. */
const ACTIVITIES: readonly { name: string; low: number; high: number; run: (world: World) => void }[] = [
  { name: 'recharge', low: 35, high: 90, run: createRecharge },
  { name: 'withdraw', low: 60, high: 140, run: createWithdraw },
  { name: 'login', low: 5, high: 14, run: loginRandomUser },
  { name: 'transfer', low: 80, high: 200, run: createTransfer },
  { name: 'credential', low: 500, high: 1_100, run: (world) => changeCredential(world) },
  { name: 'identity', low: 150, high: 420, run: createSubmission },
  { name: 'order', low: 4, high: 12, run: createOrder },
  { name: 'second', low: 4, high: 11, run: createBinaryContract },
  { name: 'position', low: 6, high: 20, run: createPosition },
  { name: 'ieo', low: 170, high: 430, run: createIeo },
  { name: 'follow', low: 15, high: 60, run: createFollow },
  { name: 'talk', low: 90, high: 260, run: createTalk },
  { name: 'wallets', low: 50, high: 70, run: balanceWallets },
  { name: 'register', low: 120, high: 320, run: createUser },
];
const TICK_SECONDS = 2;
const READING_SECONDS = 300;
/** After a longer pause, activities continue from now instead of catching up in a burst. */
const CATCH_UP_MS = 2_000;

/** Creates the world of a state with a start time; the stored scale overrides the options. */
export function createSimulation(options: Options, state: State): World {
  const scene = { options: { ...options, ...state.scale }, state };
  return createWorld(scene.options, state, createUsers(scene));
}

/** Runs everything due at `now` (Unix ms); new events are appended to the state's queue. */
export function step(world: World, now: number): void {
  world.now = now;
  // Before anything else moves, so that a reading has all that has its time.
  runIfDue(world, 'reading', READING_SECONDS, READING_SECONDS, readWallets);
  stepRecharges(world);
  stepWithdrawals(world);
  stepIeos(world);
  stepWallet(world);
  stepScreenings(world);
  runIfDue(world, 'tick', TICK_SECONDS, TICK_SECONDS, tickMarkets);
  stepEngine(world);
  stepFutures(world);
  stepFollows(world);
  stepTalks(world);
  // The square root keeps some activity visible at night.
  const pace = Math.sqrt(hourWeight(now));
  for (const { name, low, high, run } of ACTIVITIES) runIfDue(world, name, low / pace, high / pace, run);
}

/** Updates the state after the server's answer to an event. */
export function applyAnswer(world: World, event: PlatformEvent, answer: EventAnswer): void {
  const accepted = answer.result !== 'rejected';
  switch (event.type) {
    case 'recharge.credited':
      return onRechargeAnswer(world, event.data.no, accepted);
    case 'recharge.failed':
      return onRechargeAnswer(world, event.data.no, false);
    case 'withdraw.requested':
      return onWithdrawAnswer(world, event.data.no, answer.result);
    case 'withdraw.cancelled':
      return onWithdrawCancelAnswer(world, event.data.no, accepted);
    case 'ieo.ordered':
      return onIeoAnswer(world, event.data.no, answer.result);
    case 'ieo.cancelled':
      return onIeoCancelAnswer(world, event.data.no, accepted);
    case 'auth.submitted':
      return accepted ? undefined : onIdentityRefused(world, event.data.account, answer.reason);
    case 'order.placed':
      return onOrderAnswer(world, event.data.no, answer.result);
    case 'second.opened':
      return accepted ? undefined : onBinaryContractRefused(world, event.data.no);
    case 'position.placed':
      return onPositionAnswer(world, event.data.no, answer.result);
    case 'follow.opened':
      return onFollowAnswer(world, event.data.no, answer.result);
    case 'message.received':
      return accepted ? undefined : onMessageRefused(world, event.data.account);
    case 'transfer.made':
      return accepted ? undefined : onTransferRefused(world, event.data);
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
      onWithdrawReviewed(world, command.data.no, 2);
      return payOut(world, command);
    case 'withdraw.reviewed':
      onWithdrawReviewed(world, command.data.no, command.data.state);
      break;
    case 'wallet.move.requested':
      return moveCoins(world, command);
    case 'screen.requested':
      return screen(world, command);
    case 'auth.reviewed':
      onIdentityReviewed(world, command.data.account, command.data.state);
      break;
    case 'order.cancel':
      return handleCancel(world, command);
    case 'position.cancel':
    case 'position.close':
      return handlePositionCommand(world, command);
    case 'signal.published':
      onSignalPublished(world, command.data);
      break;
    case 'follow.close':
      return handleFollowClose(world, command);
    case 'second.settled':
      onBinaryContractEnded(world, command.data.no, command.data.profit, command.at);
      break;
    case 'second.voided':
      onBinaryContractEnded(world, command.data.no, '0', command.at);
      break;
    case 'message.sent':
      onMessageAnswered(world, command.data.account);
      break;
    case 'ieo.reviewed':
      onIeoReviewed(world, command.data.no);
      break;
    case 'balance.changed': {
      const { account, market, platform, active } = command.data;
      if (isSettlementReport(world, account, platform, command.at)) break;
      // Users created by operators are not simulated.
      if (world.users.some((user) => user.account === account)) setBalance(world, account, market, platform, active);
      break;
    }
    case 'user.updated': {
      const { account, state: open, trade, ieoBuy } = command.data;
      state.frozen = withMembership(open === 0, account, state.frozen);
      state.closed = withMembership(trade === 0, account, state.closed);
      state.unsubscribed = withMembership(ieoBuy === 0, account, state.unsubscribed);
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

function withMembership(listed: boolean, account: string, accounts: readonly string[]): string[] {
  const others = accounts.filter((one) => one !== account);
  return listed ? [...others, account] : others;
}

function runIfDue(world: World, name: string, low: number, high: number, run: (world: World) => void): void {
  let due = world.due.get(name) ?? nextDue(world, name, world.now, low, high);
  if (due < world.now - CATCH_UP_MS) due = world.now;
  while (due <= world.now) {
    run(world);
    due = nextDue(world, name, due, low, high);
  }
  world.due.set(name, due);
}

/** Time of the next run. The random value depends on the time since the start, so no counter is needed. */
function nextDue(world: World, name: string, from: number, low: number, high: number): number {
  const dice = randomFor(world, 'pause', name, from - world.state.startedAt);
  return from + Math.max(timeFromNow(world, dice, low, high) - world.now, 1);
}
