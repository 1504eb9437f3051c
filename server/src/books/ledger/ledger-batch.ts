import type { EntryType } from '@hengtai/contract/values/money';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { Db } from '../../database/connect.ts';
import { type AccountName, keyOf, textOf } from './account.ts';
import {
  type HoldOwner,
  type NewHold,
  type Release,
  assertTaken,
  freezeLegs,
  growHold,
  insertHolds,
  releaseHolds,
} from './hold.ts';
import { lockAccounts } from './lock-accounts.ts';
import { AccountClosed, type Leg, type Transfer, type TransferHead, postMany } from './post.ts';

/** The tables that a ledger batch reads and writes. */
export const LEDGER_TABLES: readonly string[] = ['account', 'entry', 'hold', 'leg', 'transfer'];

/** A locked account with its balance after the waiting transfers. */
interface LockedBalance {
  id: number;
  balance: Decimal;
}

/** A deferred write failed. It may concern any earlier event, so no handler may take the cause for its own. */
export class FlushFailed extends Error {
  override name = 'FlushFailed';

  constructor(cause: unknown) {
    super('waiting rows could not be written', { cause });
  }
}

/**
 * Collects the transfers and holds of one transaction and writes them together, in order: one statement each for new holds,
 * releases and transfers. The database checks every condition, so an error undoes the whole transaction.
 */
export class LedgerBatch {
  /** The connection without the hook that flushes. */
  protected readonly connection: Db;
  protected readonly now: number;
  /** False: everything is written at once. */
  protected readonly isDeferred: boolean;
  /** Counts what events wrote or left waiting, to tell whether an event has changed anything. */
  changes = 0;
  #holds: NewHold[] = [];
  #releases: Release[] = [];
  #transfers: Transfer[] = [];
  readonly #locked = new Map<string, LockedBalance>();

  constructor(connection: Db, now: number, isDeferred: boolean) {
    this.connection = connection;
    this.now = now;
    this.isDeferred = isDeferred;
  }

  protected get hasWaitingTransfers(): boolean {
    return this.#transfers.length > 0;
  }

  /** As `post` in post.ts. */
  async post(head: TransferHead, legs: readonly Leg[]): Promise<void> {
    if (legs.length === 0) throw new Error('A transfer needs a leg');
    const { now: _now, ...rest } = head;
    this.#transfers.push({ head: rest, legs });
    this.changes += 1;
    for (const { debit, credit, amount } of legs) {
      this.#changeBalance(debit, new Decimal(amount).negated());
      this.#changeBalance(credit, new Decimal(amount));
    }
    if (!this.isDeferred) await this.flush();
  }

  /** As `freeze` in hold.ts. */
  async freeze(head: TransferHead, owner: HoldOwner, amount: string, type?: EntryType): Promise<void> {
    this.#holds.push({ refType: head.refType, refId: head.refId, owner, amount, at: head.at });
    await this.post(head, freezeLegs(owner, amount, type));
  }

  /** As `freezeMore` in hold.ts. Waiting releases are written first, because it subtracts them from the hold. */
  async freezeMore(head: TransferHead, owner: HoldOwner, amount: string, type?: EntryType): Promise<void> {
    await this.flush();
    await growHold(this.connection, head, owner, amount, head.at);
    await this.post(head, freezeLegs(owner, amount, type));
  }

  /** As `release` in hold.ts. */
  async release(head: TransferHead, owner: HoldOwner, amount: string, legs: readonly Leg[]): Promise<void> {
    assertTaken(legs, owner, amount);
    const { marketId, platform } = owner;
    this.#releases.push({ refType: head.refType, refId: head.refId, marketId, platform, amount });
    await this.post(head, legs);
  }

  /**
   * Locks accounts, creating missing ones, and returns their balances after the waiting transfers as decimal strings.
   *
   * @throws AccountClosed if an account belongs to a deleted user
   */
  async lockBalances(names: readonly AccountName[]): Promise<string[]> {
    const unknown = names.map(keyOf).filter((key) => !this.#locked.has(textOf(key)));
    // Missing accounts are created.
    if (unknown.length > 0) this.changes += 1;
    for (const { balance, ...key } of await lockAccounts(this.connection, unknown, this.now)) {
      const waiting = this.#sumWaiting((name) => textOf(keyOf(name)) === textOf(key));
      this.#locked.set(textOf(key), { id: key.id, balance: waiting.plus(balance) });
    }
    return names.map((name) => {
      const account = this.#locked.get(textOf(keyOf(name)));
      if (!account) throw new AccountClosed(`no account ${textOf(keyOf(name))}`);
      return account.balance.toFixed();
    });
  }

  /** Sum of the waiting transfers on a user's active and frozen accounts of one coin and account type; a decimal string. */
  sumWaiting({ user, marketId, platform }: HoldOwner): string {
    const isOwn = (name: AccountName): boolean =>
      'user' in name && name.user.id === user.id && name.marketId === marketId && name.platform === platform;
    return this.#sumWaiting(isOwn).toFixed();
  }

  /** @throws FlushFailed if the batch is deferred, otherwise the error of `work` */
  protected async write(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw this.isDeferred ? new FlushFailed(error) : error;
    }
  }

  /** Writes everything that waits; throws as `releaseHolds` and `postMany` do, within `write`. */
  async flush(): Promise<void> {
    const [holds, releases, transfers] = [this.#holds, this.#releases, this.#transfers];
    [this.#holds, this.#releases, this.#transfers] = [[], [], []];
    const locked = new Map([...this.#locked].map(([key, { id }]) => [key, id]));
    await this.write(async () => {
      if (holds.length > 0) await insertHolds(this.connection, holds);
      if (releases.length > 0) await releaseHolds(this.connection, releases);
      await postMany(this.connection, { now: this.now, transfers, locked });
    });
  }

  /** Must be called before another statement may change balances. */
  protected forgetBalances(): void {
    this.#locked.clear();
  }

  #changeBalance(name: AccountName, by: Decimal): void {
    const account = this.#locked.get(textOf(keyOf(name)));
    if (account) account.balance = account.balance.plus(by);
  }

  #sumWaiting(counts: (name: AccountName) => boolean): Decimal {
    let sum = new Decimal(0);
    for (const { debit, credit, amount } of this.#transfers.flatMap(({ legs }) => legs)) {
      if (counts(debit)) sum = sum.minus(amount);
      if (counts(credit)) sum = sum.plus(amount);
    }
    return sum;
  }
}
