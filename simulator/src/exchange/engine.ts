import type { PlatformCommand } from '@hengtai/contract/gateway-commands';
import type { Ack, EventAnswer } from '@hengtai/contract/gateway.schema';
import { priceOf } from '../market.ts';
import { draw, later, type World } from '../world.ts';
import { match, quotes, withResting } from './book.ts';
import { type LiveOrder, cancelOrder, giveBack } from './order.ts';

type CancelCommand = Extract<PlatformCommand, { type: 'order.cancel' }>;

/** A cancel command that was accepted and waits for its execution. */
export interface PendingCancel {
  no: string;
  due: number;
  /** The ack is sent only after execution. */
  late: boolean;
}

const FAILURES = ['撮合队列繁忙', '委托正在成交，暂不能撤销'];

/** Matches live orders against the current quotes and executes due cancels of users and operators. */
export function stepEngine(world: World): void {
  const orders = Object.entries(world.state.orders);
  for (const { name } of world.markets) matchMarket(world, name, orders);
  for (const [no, order] of orders) {
    if (order.live && order.cancelAt > 0 && order.cancelAt <= world.now) cancelOrder(world, no);
  }
  stepCancels(world);
}

/** New orders match immediately; resting orders match once per tick. */
function matchMarket(world: World, market: string, orders: readonly (readonly [string, LiveOrder])[]): void {
  const tick = world.state.counters[`tick.${market}`] ?? 0;
  const moved = world.matched.get(market) !== tick;
  const last = Number(priceOf(world, market));
  const due = orders.filter(
    ([, order]) => order.live && order.market === market && (order.rests ? moved && reached(order, last) : true),
  );
  world.matched.set(market, tick);
  if (due.length === 0) return;
  const book = withResting(world, market, quotes(world, market, tick));
  for (const [no, order] of due.sort(([, a], [, b]) => a.placedAt - b.placedAt)) {
    match(world, no, book);
    // A market order that is not filled completely tries again in the next step.
    order.rests = order.price !== undefined;
  }
}

/** Skips resting orders that the price has not reached; no quote can fill them. */
const reached = ({ side, price }: LiveOrder, last: number): boolean =>
  side === 1 ? Number(price) >= last : Number(price) <= last;

function stepCancels(world: World): void {
  const { cancels, acks } = world.state;
  for (const [id, cancel] of Object.entries(cancels)) {
    if (cancel.due > world.now) continue;
    delete cancels[id];
    const there = world.state.orders[cancel.no] !== undefined;
    if (there) cancelOrder(world, cancel.no);
    if (!cancel.late) continue;
    acks.push(there ? { id: Number(id), state: 'done' } : { id: Number(id), state: 'failed', reason: '委托已成交' });
  }
}

/** Handles a cancel command: executed soon, late, refused or never answered, as the options say. */
export function handleCancel(world: World, { id, data }: CancelCommand): Ack | undefined {
  return takeIn(world, id, {
    pending: world.state.cancels,
    there: world.state.orders[data.no] !== undefined,
    gone: '委托不存在或已结束',
    failures: FAILURES,
    make: (when) => ({ no: data.no, ...when }),
  });
}

interface When {
  due: number;
  late: boolean;
}

/** How to queue a command, and how to refuse it. */
interface Action<T extends When> {
  pending: Record<string, T>;
  there: boolean;
  gone: string;
  failures: readonly string[];
  make: (when: When) => T;
}

/**
 * Decides the outcome of a cancel or close command. The random value depends on the command id alone, so a
 * redelivered command has the same outcome. Returns undefined if there is no ack now.
 */
export function takeIn<T extends When>(world: World, id: number, action: Action<T>): Ack | undefined {
  const { pending, there, gone, failures, make } = action;
  const dice = draw(world, 'cancel', id);
  const fate = dice.next();
  const { fail, unknown, late } = world.options;
  if (pending[id]) return pending[id].late ? undefined : { id, state: 'done' };
  if (!there) return { id, state: 'failed', reason: gone };
  if (fate < fail) return { id, state: 'failed', reason: dice.pick(failures) };
  if (fate < fail + unknown) return undefined;
  const slow = fate < fail + unknown + late;
  const due = slow ? later(world, dice, 8, 40) : later(world, dice, 0.5, 3);
  pending[id] = make({ due, late: slow });
  return slow ? undefined : { id, state: 'done' };
}

/** Activates an order, or refunds it if the server rejected it. */
export function placedAnswered(world: World, no: string, result: EventAnswer['result']): void {
  const order = world.state.orders[no];
  if (!order) return;
  if (result === 'rejected') giveBack(world, no);
  else order.live = true;
}
