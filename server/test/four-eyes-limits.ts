import type { LimitedPolicy } from '@hengtai/contract/authority/actions';
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { LIMITS } from './four-eyes-world.ts';
import type { TestServer } from './server.ts';

const DAY = 24 * 3_600_000;

interface Move {
  at: number;
  userId: number;
  amount: Decimal;
  /** True if a checker approved it. */
  isApproved: boolean;
}

/** Money moved in the last 24 hours and the branches of its users. It uses the answers, not the server's counters. */
export class MoneyMoved {
  readonly #moves = new Map<LimitedPolicy, Move[]>();
  #memberships: { userId: number; branch: number; until: number }[] = [];
  /** Number of moves without a checker, by policy. */
  readonly uncheckedMoves = new Map<LimitedPolicy, number>();

  /** Counts a move. Returns a description of the limit that it breaks, or undefined. */
  add(policy: LimitedPolicy, move: Move): string | undefined {
    const since = move.at - DAY;
    const recent = (this.#moves.get(policy) ?? []).filter(({ at }) => at > since);
    this.#moves.set(policy, [...recent, move]);
    if (move.isApproved) return undefined;
    this.uncheckedMoves.set(policy, (this.uncheckedMoves.get(policy) ?? 0) + 1);
    return this.#findBrokenLimit(policy, move, recent);
  }

  /** Whether an amount needs two checkers, including the moves of this user in the last 24 hours. */
  needsTwo(policy: LimitedPolicy, { at, userId, amount }: Pick<Move, 'at' | 'userId' | 'amount'>): boolean {
    const before = (this.#moves.get(policy) ?? []).filter((move) => move.at > at - DAY && move.userId === userId);
    return sum(before).add(amount).gt(LIMITS[policy].twoCheckers);
  }

  #findBrokenLimit(policy: LimitedPolicy, { at, userId, amount }: Move, recent: readonly Move[]): string | undefined {
    const { perUser, branch, house } = LIMITS[policy];
    const user = sum(recent.filter((move) => move.userId === userId)).add(amount);
    if (user.gt(perUser)) return `${policy}: user ${userId} moved ${user.toFixed()}`;
    const unchecked = recent.filter(({ isApproved }) => !isApproved);
    const all = sum(unchecked).add(amount);
    if (all.gt(house)) return `${policy}: the house moved ${all.toFixed()}`;
    const memberships = this.#memberships.filter(({ until }) => until > at - DAY);
    for (const { branch: id } of memberships.filter((stay) => stay.userId === userId)) {
      const members = new Set(memberships.filter((stay) => stay.branch === id).map((stay) => stay.userId));
      const moved = sum(unchecked.filter((move) => members.has(move.userId))).add(amount);
      if (moved.gt(branch)) return `${policy}: branch ${id} moved ${moved.toFixed()}`;
    }
    return undefined;
  }

  /** Records the current branch of each user. */
  async recordBranches(server: TestServer): Promise<void> {
    const rows = await server.query(sql<{ userId: number; branch: number }>`
      select u.id as "userId", coalesce((select a.id from closure c join agent a on a.id = c.ancestor
        where c.descendant = u.agent_id and a.depth = 1), u.agent_id) as branch
      from users u`);
    const now = server.clock.now();
    this.#memberships = this.#memberships.filter(({ until }) => until > now - DAY);
    for (const { userId, branch } of rows) {
      const last = this.#memberships.findLast((stay) => stay.userId === userId);
      if (last?.branch === branch) continue;
      if (last) last.until = now;
      this.#memberships.push({ userId, branch, until: Number.POSITIVE_INFINITY });
    }
  }
}

const sum = (moves: readonly Move[]): Decimal => moves.reduce((total, { amount }) => total.add(amount), new Decimal(0));
