import {
  type ModelEvent,
  type ModelMarket,
  type ModelState,
  type ModelTerms,
  type ModelUser,
  type RecordKind,
  newState,
} from './event-model-state.ts';
import { formatUnits, parseUnits } from './ledger-model.ts';

/**
 * In-memory model of the money in the platform gateway. It is written from docs/gateway.md and shares no rules with the
 * server. Amounts are integers in units of 10^-18.
 */

export const ONE = 10n ** 18n;
/** Upper bound of an amount: at most 18 digits before the decimal point. */
export const LIMIT = ONE * ONE;

/** One side of a move. `hold` names the record that owns frozen money. */
export interface Side {
  name: string;
  isUser: boolean;
  hold?: string;
}

export interface Move {
  from: Side;
  to: Side;
  amount: bigint;
}

/** The effect of an event. It is applied if there are no faults and all moves are possible. */
export interface Effect {
  faults: string[];
  moves: Move[];
  record: () => void;
}

export type Rule = (model: EventModel, event: ModelEvent) => Effect;

export interface Judgement {
  result: 'applied' | 'duplicate' | 'rejected';
  /** All reasons that apply, because the documentation does not define their order. */
  reasons: string[];
}

export const activeAccount = (account: string, market: string, platform: number): Side => ({
  name: `${account} ${market} ${platform} active`,
  isUser: true,
});
export const frozenAccount = (account: string, market: string, platform: number, hold: string): Side => ({
  name: `${account} ${market} ${platform} frozen`,
  isUser: true,
  hold: `${hold} ${market} ${platform}`,
});
/** The model splits each house account by user. Each part may be negative and has the full range of an amount. */
export const houseAccount = (owner: string, account: string, market: string): Side => ({
  name: `${owner} ${market} of ${account}`,
  isUser: false,
});
export const move = (from: Side, to: Side, amount: bigint): Move => ({ from, to, amount });

export const textOf = (event: ModelEvent, field: string): string => String(event.data[field]);
export const numberOf = (event: ModelEvent, field: string): number => Number(event.data[field]);
export const amountOf = (event: ModelEvent, field: string): bigint => parseUnits(String(event.data[field]));
/** Account names are case-insensitive. */
export const accountOf = (event: ModelEvent, field = 'account'): string => textOf(event, field).toLowerCase();
export const hasField = (event: ModelEvent, field: string): boolean => event.data[field] !== undefined;

/** Product of two amounts in units of 10^-18, rounded down (`multiplyDown`) or up (`multiplyUp`). */
export const multiplyDown = (a: bigint, b: bigint): bigint => (a * b) / ONE;
export const multiplyUp = (a: bigint, b: bigint): bigint => (a * b + ONE - 1n) / ONE;
/** Rounds towards minus infinity: a win becomes smaller, a loss larger. */
export const multiplyFloor = (a: bigint, b: bigint): bigint => (a * b < 0n ? -multiplyUp(-a, b) : multiplyDown(a, b));
export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Number of decimals that an amount needs. */
export const decimalsOf = (amount: bigint): number => formatUnits(amount).split('.')[1]?.length ?? 0;

export const reject = (...faults: string[]): Effect => ({ faults, moves: [], record: () => undefined });

export class EventModel {
  state = newState();
  readonly terms: ModelTerms;
  private readonly rules: Readonly<Record<string, Rule>>;

  constructor(terms: ModelTerms, rules: Readonly<Record<string, Rule>>) {
    this.terms = terms;
    this.rules = rules;
  }

  snapshot(): ModelState {
    return structuredClone(this.state);
  }

  restore(state: ModelState): void {
    this.state = structuredClone(state);
  }

  judge(event: ModelEvent): Judgement {
    const content = JSON.stringify([event.type, event.data]);
    const applied = this.state.appliedIds.get(event.eventId);
    if (applied === content) return { result: 'duplicate', reasons: [] };
    if (applied !== undefined) return { result: 'rejected', reasons: ['conflict'] };
    const rule = this.rules[event.type];
    if (!rule) throw new Error(`no rule for ${event.type}`);
    const effect = rule(this, event);
    const reasons = effect.faults.length > 0 ? effect.faults : this.apply(effect);
    if (reasons.length > 0) return { result: 'rejected', reasons };
    this.state.appliedIds.set(event.eventId, content);
    return { result: 'applied', reasons: [] };
  }

  /** Applies a plan completely or not at all. Returns the reasons if it is impossible. */
  apply({ moves, record }: Omit<Effect, 'faults'>): string[] {
    const newBalances = new Map<string, bigint>();
    const faults = new Set<string>();
    const change = ({ name, isUser }: Side, by: bigint): void => {
      const balance = (newBalances.get(name) ?? this.state.balances.get(name) ?? 0n) + by;
      newBalances.set(name, balance);
      if (isUser && balance < 0n) faults.add('insufficient');
      if (balance >= LIMIT || balance <= -LIMIT) faults.add('invalid: amount');
    };
    for (const { from, to, amount } of moves) {
      if (amount < 0n) throw new Error(`a move of ${amount} from ${from.name} to ${to.name}`);
      if (amount >= LIMIT) faults.add('invalid: amount');
      change(from, -amount);
      change(to, amount);
    }
    if (faults.size > 0) return [...faults];
    for (const [name, balance] of newBalances) this.state.balances.set(name, balance);
    for (const { from, to, amount } of moves) {
      this.changeHold(from.hold, -amount);
      this.changeHold(to.hold, amount);
    }
    record();
    return [];
  }

  private changeHold(hold: string | undefined, by: bigint): void {
    if (hold === undefined) return;
    const held = (this.state.holds.get(hold) ?? 0n) + by;
    if (held < 0n) throw new Error(`${hold} would hold ${held}`);
    if (held === 0n) this.state.holds.delete(hold);
    else this.state.holds.set(hold, held);
  }

  freeOf(account: string, market: string, platform: number): bigint {
    return this.state.balances.get(activeAccount(account, market, platform).name) ?? 0n;
  }

  /** Balances of users, and of house accounts summed over users. Zero balances are omitted. */
  balances(): Record<string, string> {
    const sums = new Map<string, bigint>();
    for (const [name, balance] of this.state.balances) {
      const account = name.replace(/ of .*$/, '');
      sums.set(account, (sums.get(account) ?? 0n) + balance);
    }
    return toDecimals(sums);
  }

  private get records(): Readonly<Record<RecordKind, ReadonlyMap<string, { state: number }>>> {
    const { recharges, withdrawals, subscriptions, orders, positions, contracts, followings } = this.state;
    return {
      recharge: recharges,
      withdraw: withdrawals,
      ieo: subscriptions,
      trade: orders,
      future: positions,
      second: contracts,
      follow: followings,
    };
  }

  recordsOf(kind: RecordKind): ReadonlyMap<string, { state: number }> {
    return this.records[kind];
  }

  states(): Record<string, number> {
    const states = Object.entries(this.records).flatMap(([kind, records]) =>
      [...records].map(([no, { state }]) => [`${kind} ${no}`, state] as const),
    );
    return Object.fromEntries(states);
  }

  holds(): Record<string, string> {
    return toDecimals(this.state.holds);
  }

  /** The user and market that an event names, with a fault for each one that does not exist. */
  resolveNames(
    event: ModelEvent,
    field = 'account',
  ): { account: string; user?: ModelUser; market?: ModelMarket; faults: string[] } {
    const account = accountOf(event, field);
    const user = this.state.users.get(account);
    const market = this.terms.markets.get(textOf(event, 'market'));
    const faults: string[] = [];
    if (!user) faults.push(`unknown: ${field}`);
    if (!market) faults.push('unknown: market');
    if (user?.frozen) faults.push('frozen');
    return { account, faults, ...(user && { user }), ...(market && { market }) };
  }
}

const toDecimals = (amounts: ReadonlyMap<string, bigint>): Record<string, string> =>
  Object.fromEntries(
    [...amounts]
      .filter(([, amount]) => amount !== 0n)
      .map(([name, amount]) => [name, formatUnits(amount)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
