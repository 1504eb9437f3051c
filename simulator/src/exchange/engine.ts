import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { Ack, EventAnswer } from '@hengtai/contract/gateway/schema';
import { priceOf } from '../market.ts';
import { randomFor, timeFromNow, type World } from '../world.ts';
import { matchOrder, createQuotes, addRestingOrders } from './book.ts';
import { cancelOrder, refundOrder } from './order.ts';
import type { LiveOrder } from '../records.ts';

type CancelCommand = Extract<PlatformCommand, { type: 'order.cancel' }>;

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
  const hasMoved = world.matchedTicks.get(market) !== tick;
  const last = Number(priceOf(world, market));
  const due = orders.filter(
    ([, order]) => order.live && order.market === market && (order.rests ? hasMoved && isReached(order, last) : true),
  );
  world.matchedTicks.set(market, tick);
  if (due.length === 0) return;
  const book = addRestingOrders(world, market, createQuotes(world, market, tick));
  for (const [no, order] of due.sort(([, a], [, b]) => a.placedAt - b.placedAt)) {
    matchOrder(world, no, book);
    // A market order that is not filled completely tries again in the next step.
    order.rests = order.price !== undefined;
  }
}

/** Skips resting orders that the price has not reached; no quote can fill them. */
const isReached = ({ side, price }: LiveOrder, last: number): boolean =>
  side === 1 ? Number(price) >= last : Number(price) <= last;

function stepCancels(world: World): void {
  const { cancels, acks } = world.state;
  for (const [id, cancel] of Object.entries(cancels)) {
    if (cancel.due > world.now) continue;
    delete cancels[id];
    const exists = world.state.orders[cancel.no] !== undefined;
    if (exists) cancelOrder(world, cancel.no);
    if (!cancel.late) continue;
    acks.push(exists ? { id: Number(id), state: 'done' } : { id: Number(id), state: 'failed', reason: '委托已成交' });
  }
}

/** Handles a cancel command: executed soon, late, refused or never answered, as the options say. */
export function handleCancel(world: World, { id, data }: CancelCommand): Ack | undefined {
  return acceptCommand(world, id, {
    pending: world.state.cancels,
    exists: world.state.orders[data.no] !== undefined,
    missingReason: '委托不存在或已结束',
    failures: FAILURES,
    create: (schedule) => ({ no: data.no, ...schedule }),
  });
}

interface Schedule {
  due: number;
  late: boolean;
}

/** How to queue a command, and how to refuse it. */
interface CommandSpec<T extends Schedule> {
  pending: Record<string, T>;
  exists: boolean;
  missingReason: string;
  failures: readonly string[];
  create: (schedule: Schedule) => T;
}

/**
 * Decides the outcome of a cancel or close command. The random value depends on the command id alone, so a
 * redelivered command has the same outcome. Returns undefined if there is no ack now.
 */
export function acceptCommand<T extends Schedule>(world: World, id: number, spec: CommandSpec<T>): Ack | undefined {
  const { pending, exists, missingReason, failures, create } = spec;
  const dice = randomFor(world, 'cancel', id);
  const fate = dice.next();
  const { fail, unknown, late } = world.options;
  if (pending[id]) return pending[id].late ? undefined : { id, state: 'done' };
  if (!exists) return { id, state: 'failed', reason: missingReason };
  if (fate < fail) return { id, state: 'failed', reason: dice.pick(failures) };
  if (fate < fail + unknown) return undefined;
  const isLate = fate < fail + unknown + late;
  const due = isLate ? timeFromNow(world, dice, 8, 40) : timeFromNow(world, dice, 0.5, 3);
  pending[id] = create({ due, late: isLate });
  return isLate ? undefined : { id, state: 'done' };
}

/** Activates an order, or refunds it if the server rejected it. */
export function onOrderAnswer(world: World, no: string, result: EventAnswer['result']): void {
  const order = world.state.orders[no];
  if (!order) return;
  if (result === 'rejected') refundOrder(world, no);
  else order.live = true;
}
