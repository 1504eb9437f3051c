import type { EventData, PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import { createAddress } from '../address.ts';
import { D } from '../amount.ts';
import { type Random, createRandom } from '../random.ts';
import { DAY_MS } from '../rhythm.ts';
import { Readings } from './fault-readings.ts';

type MoveEvent = Extract<PlatformEvent, { type: 'chain.moved' }>;
type Moved = EventData['chain.moved'];

/** What a fault may know of what was sent so far, and how it reaches later events. */
interface Stream {
  dice: Random;
  wallets: Map<string, EventData['wallet.saved']>;
  /** Moves by the number of their record. */
  moves: Map<string, MoveEvent>;
  readings: Readings;
  /** Moves that are sent at this time (Unix ms), or never. What is said of them waits as well. */
  withheld: Map<string, number>;
  /** Transactions whose fee nobody states. */
  feeless: Set<string>;
}

/** Changes what is sent in place of an event. Undefined: this event cannot have the fault. */
type Fault = (event: PlatformEvent, stream: Stream) => PlatformEvent[] | undefined;

/** A fault of a deposit or a payout that has a record. */
const ofRecord =
  (change: (event: MoveEvent, stream: Stream) => PlatformEvent[] | undefined): Fault =>
  (event, stream) =>
    event.type === 'chain.moved' && event.data.record !== undefined && event.data.kind !== 'other'
      ? change(event, stream)
      : undefined;

const withData = (event: MoveEvent, change: Partial<Moved>): MoveEvent => ({
  ...event,
  data: { ...event.data, ...change },
});

/** The same as another one, in the wallet that is found. */
function inOtherWallet(
  event: MoveEvent,
  { wallets }: Stream,
  isOther: (own: EventData['wallet.saved'], one: EventData['wallet.saved']) => boolean,
): PlatformEvent[] | undefined {
  const own = wallets.get(event.data.wallet);
  const other = own && [...wallets.values()].find((one) => one.kind === own.kind && isOther(own, one));
  return other && [withData(event, { wallet: other.wallet })];
}

const networkOf = ({ data }: MoveEvent, { wallets }: Stream): string => wallets.get(data.wallet)?.network ?? '';

/** One more or less in the last digit. */
function changeDigit(amount: string, dice: Random): string {
  const unit = new D(10).pow(-new D(amount).decimalPlaces());
  return new D(amount).plus(dice.chance(0.5) ? unit : unit.neg()).toFixed();
}

/** A reading is this share of what the wallet holds larger or smaller. */
const LIE = 0.01;
const THEFT = 0.001;

const faults = {
  missing: ofRecord((event, { withheld }) => {
    withheld.set(event.data.no, Infinity);
    return [];
  }),
  double: ofRecord((event) => [
    event,
    { ...withData(event, { no: `${event.data.no}d` }), eventId: `${event.eventId}:double` },
  ]),
  digit: ofRecord((event, { dice }) => {
    const amount = changeDigit(event.data.amount, dice);
    return new D(amount).isZero() ? undefined : [withData(event, { amount })];
  }),
  coin: ofRecord((event, stream) =>
    inOtherWallet(event, stream, (own, one) => one.network === own.network && one.market !== own.market),
  ),
  network: ofRecord((event, stream) =>
    inOtherWallet(event, stream, (own, one) => one.market === own.market && one.network !== own.network),
  ),
  account: ofRecord((event, stream) =>
    event.data.kind === 'payout'
      ? [withData(event, { address: createAddress(networkOf(event, stream), stream.dice) })]
      : undefined,
  ),
  memo: ofRecord((event) =>
    event.data.memo === undefined ? undefined : [withData(event, { memo: `${Number(event.data.memo) + 1}` })],
  ),
  late: ofRecord((event, { withheld, dice }) => {
    withheld.set(event.data.no, event.at + dice.int(2, 5) * DAY_MS);
    return [];
  }),
  outflow: ofRecord((event, stream) => {
    const { wallet, no, block = 0 } = event.data;
    const held = stream.readings.last(wallet);
    const amount = new D(held ?? 0).mul(THEFT).toDecimalPlaces(2, D.ROUND_DOWN);
    if (event.data.kind !== 'payout' || amount.isZero()) return undefined;
    const { dice } = stream;
    const stolen = { no: `${no}s`, wallet, amount: amount.neg().toFixed(), kind: 'other' } as const;
    const data = { ...stolen, txHash: `${event.data.txHash}s`, address: createAddress(networkOf(event, stream), dice) };
    stream.readings.shift(wallet, amount.neg(), block);
    return [event, { ...event, eventId: `${event.eventId}:stolen`, data: { ...data, block } }];
  }),
  revert: (event, { moves, readings }) => {
    const move = event.type === 'recharge.credited' ? moves.get(event.data.no) : undefined;
    if (move?.data.kind !== 'deposit') return undefined;
    const { no, wallet, amount } = move.data;
    readings.lose(wallet, new D(amount));
    return [event, { eventId: `${move.eventId}:reverted`, type: 'chain.reverted', at: event.at, data: { no } }];
  },
  fee: ofRecord((event, { feeless }) => {
    if (event.data.fee === undefined) return undefined;
    feeless.add(event.data.txHash);
    return [withoutFee(event)];
  }),
  balance: (event, { dice, readings }) => {
    // The first reading is what all others are compared with.
    if (event.type !== 'wallet.balance' || readings.last(event.data.wallet) === undefined) return undefined;
    if (new D(event.data.amount).isZero()) return undefined;
    const lie = new D(event.data.amount).mul(1 + (dice.chance(0.5) ? LIE : -LIE));
    return [{ ...event, data: { ...event.data, amount: lie.toDecimalPlaces(18).toFixed() } }];
  },
} satisfies Record<string, Fault>;

export type ChainFault = keyof typeof faults;
export const CHAIN_FAULTS = Object.keys(faults) as ChainFault[];

/** What was put where. */
export interface InjectedFault {
  fault: ChainFault;
  /** The event that has the fault, as the exchange made it. */
  event: PlatformEvent;
}

export interface FaultInjector {
  /** Puts a fault into the next event that can have it. An event has at most one. */
  plan: (fault: ChainFault) => void;
  /** What is sent for these events, which must come in their order. */
  change: (events: readonly PlatformEvent[]) => PlatformEvent[];
  /** Faults that were put in. */
  injected: readonly InjectedFault[];
}

/** Puts faults into the events of a simulated exchange. The same seed and plans give the same events. */
export function createFaultInjector(seed: string): FaultInjector {
  const stream: Stream = {
    dice: createRandom(seed, 'chain faults'),
    wallets: new Map(),
    moves: new Map(),
    readings: new Readings(),
    withheld: new Map(),
    feeless: new Set(),
  };
  const planned: ChainFault[] = [];
  const injected: InjectedFault[] = [];
  let waiting: { at: number; event: PlatformEvent }[] = [];

  function inject(event: PlatformEvent): PlatformEvent[] {
    for (const [index, fault] of planned.entries()) {
      const sent = faults[fault](event, stream);
      if (!sent) continue;
      planned.splice(index, 1);
      injected.push({ fault, event });
      return sent;
    }
    return [event];
  }

  function takeDue(now: number): PlatformEvent[] {
    const due = waiting.filter(({ at }) => at <= now);
    waiting = waiting.filter(({ at }) => at > now);
    return due.map(({ event }) => event);
  }

  function changeOne(original: PlatformEvent): PlatformEvent[] {
    const event = stream.readings.change(withoutHiddenFee(original, stream.feeless));
    const sent = inject(event);
    remember(event, stream);
    const until =
      event.type.startsWith('chain.') && 'no' in event.data ? stream.withheld.get(event.data.no) : undefined;
    if (until === undefined) return sent;
    if (until < Infinity) waiting.push({ at: until, event });
    return [];
  }

  return {
    plan: (fault) => void planned.push(fault),
    change: (events) => events.flatMap((event) => [...takeDue(event.at), ...changeOne(event)]),
    injected,
  };
}

function remember(event: PlatformEvent, { wallets, moves, readings }: Stream): void {
  if (event.type === 'wallet.balance') readings.remember(event.data);
  if (event.type === 'wallet.saved') wallets.set(event.data.wallet, event.data);
  if (event.type === 'chain.moved' && event.data.record !== undefined) moves.set(event.data.record, event);
}

function withoutFee<T extends MoveEvent>(event: T): T {
  const { fee: _fee, feeMarket: _feeMarket, ...data } = event.data;
  return { ...event, data };
}

/** The fee of a transaction is stated by each of its moves and by the payment. */
function withoutHiddenFee(event: PlatformEvent, feeless: ReadonlySet<string>): PlatformEvent {
  if (event.type === 'chain.moved' && feeless.has(event.data.txHash)) return withoutFee(event);
  if (event.type !== 'withdraw.paid' || !feeless.has(event.data.txHash)) return event;
  const { chainFee: _chainFee, feeMarket: _feeMarket, ...data } = event.data;
  return { ...event, data };
}
