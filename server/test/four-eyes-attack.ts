import { ABILITY } from '@hengtai/contract/ability';
import {
  type LimitedPolicy,
  PASSWORD_HOLD,
  PASSWORD_HOLD_HOURS,
  PERMIT_MINUTES,
  POLICY,
} from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { Decimal } from '@hengtai/contract/decimal';
import { isGuardedAbility } from '@hengtai/contract/four-eyes';
import { sql } from 'kysely';
import { type PlayedCall, type Pools, makeInput, pick, playedCalls } from './four-eyes-calls.ts';
import { MoneyMoved } from './four-eyes-limits.ts';
import { POSTS, type Protected, loosenedBetween, payoutsSince, postedSince, readProtected } from './four-eyes-rules.ts';
import { type Account, type ModelWorld, findPools } from './four-eyes-world.ts';
import { PASSWORD } from './factories.ts';
import { type Answered, call } from './server.ts';

const HOUR = 3_600_000;
const FOREVER = 100 * 365 * 24 * HOUR;
/** Maximum number of accounts and of users that the attacker creates. */
const PUPPETS = 8;
const USERS = 60;

/** A violated rule; the message describes it. */
export class Escape extends Error {}

type Input = Record<string, unknown>;
interface Made {
  played: PlayedCall;
  by: Account;
  input: Input;
}
interface Data {
  id?: number;
  results?: { id: number; code: number }[];
}

const MOVES_BRANCHES = ['agent.parentChange', 'agent.del', 'user.agentChange', 'user.agentChangeMany', 'user.add'];

/**
 * One compromised operator, who controls every account that it creates or resets, and the state of the model. The model
 * judges each answer by its own rules.
 */
export class Attack {
  readonly world: ModelWorld;
  readonly below: (n: number) => number;
  readonly controlled: Account[];
  readonly moved = new MoneyMoved();
  readonly log: string[] = [];
  /** Number of times each call succeeded without a checker. */
  readonly done = new Map<string, number>();
  before!: Protected;
  #pools: Pools | undefined;
  #last: Made[] = [];
  /** The latest call for which an approval gave a permit. */
  #permitted: Made | undefined;
  /** Expiry times of permits for controlled accounts, keyed by call, user and maker. */
  readonly #permits = new Map<string, number[]>();
  readonly #heldUntil = new Map<number, number>();
  readonly #approverSince = new Map<number, number>();
  readonly #needTwo = new Set<number>();
  readonly #voters = new Map<number, Set<number>>();
  readonly #ownHolds = new Set<string>();

  constructor(world: ModelWorld, below: (n: number) => number) {
    this.world = world;
    this.below = below;
    this.controlled = [world.attacker];
  }

  async begin(): Promise<void> {
    await this.moved.look(this.world.server);
    this.before = await readProtected(this.world.server);
  }

  get #now(): number {
    return this.world.server.clock.now();
  }

  isControlled = (id: number): boolean => this.controlled.some((one) => one.id === id);

  /** Sends a call as an account. Logs in again if its session has ended. */
  async ask<T>(by: Account, path: string, input: object): Promise<Answered<T | null>> {
    const { server } = this.world;
    let answer = await call<T | null>(server, 'POST', path, input, { token: by.token });
    if (answer.code === 400 || answer.code === 428) {
      await this.enter(by);
      answer = await call<T | null>(server, 'POST', path, input, { token: by.token });
    }
    if (answer.token) by.token = answer.token;
    this.log.push(`${by.account} ${path} ${JSON.stringify(input)}: ${answer.code} ${answer.msg}`);
    if (this.log.length > 200) this.log.splice(0, 100);
    return answer;
  }

  /**
   * Logs in without one-time codes and forced password changes: the attacker owns the authenticators of its accounts.
   */
  async enter(one: Account): Promise<void> {
    const { server } = this.world;
    await server.query(sql`update agent set otp_since = null, password_by_other = false where id = ${one.id}`);
    const { token } = await call(server, 'POST', 'login', { account: one.account, password: one.password });
    if (token) one.token = token;
    await server.query(sql`update agent set otp_since = 1 where id = ${one.id}`);
    const until = this.#now + FOREVER;
    await server.query(sql`update session set fresh_at = ${until}, expires_at = ${until}, absolute_at = ${until}
      where operator_id = ${one.id} and ended_at is null`);
  }

  /** Sends one call of the contract, by default a random one, as one of the controlled accounts. */
  async play(name?: string): Promise<void> {
    const played = name === undefined ? pick(this.below, playedCalls) : playedCalls.find((one) => one.name === name);
    const by = this.below(3) > 0 ? this.world.attacker : pick(this.below, this.controlled);
    if (!played || !by) throw new Error(`There is no call ${name}.`);
    if (played.name === 'agent.add' && this.controlled.length > PUPPETS) return;
    if (played.name === 'user.add' && this.world.users.length > USERS) return;
    this.#pools ??= await findPools(this.world);
    await this.#try(played, by, makeInput(played, this.#pools, this.below));
  }

  /** Repeats a recent call, executed or requested, as the same account. */
  async repeat(): Promise<void> {
    const permitted = this.below(2) === 0 ? this.#permitted : undefined;
    const last = permitted ?? pick(this.below, this.#last);
    if (last) await this.#try(last.played, last.by, last.input);
  }

  async #try(played: PlayedCall, by: Account, input: Input): Promise<void> {
    const { code, data } = await this.ask<Data & ApprovalRow>(by, played.spec.path, input);
    if (code !== 200 && code !== 202) return;
    this.#pools = undefined;
    this.#last = [...this.#last.slice(-9), { played, by, input }];
    if (code === 202) this.#asked(played, input, data);
    else await this.#judge(played, by, input, data);
    if (MOVES_BRANCHES.includes(played.name)) await this.moved.look(this.world.server);
    await this.#compare();
  }

  async #compare(): Promise<void> {
    const now = await readProtected(this.world.server);
    const loosened = loosenedBetween(this.before, now);
    if (loosened !== undefined) throw new Escape(loosened);
    this.before = now;
  }

  /** Judges a call that ran without a checker: it is allowed, counted against a limit, or an escape. */
  async #judge(played: PlayedCall, by: Account, input: Input, data: (Data & ApprovalRow) | null): Promise<void> {
    const { name, spec } = played;
    const ids = spec.bulk ? (data?.results ?? []).filter(({ code }) => code === 200).map(({ id }) => id) : undefined;
    if (ids?.length === 0) return;
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
    if (name === 'approval.pass') return this.#passed(by, data);
    const policy = this.before.settings.find(({ key }) => key === `policy.${spec.approvable}`);
    if (policy?.state === POLICY.always) throw new Escape(`${name} was done alone under a policy that asks always`);
    const posted = await postedSince(this.world.server, this.before.lastEntry);
    const unexplained = posted.filter((type) => !(POSTS[name] ?? []).includes(type));
    if (unexplained.length > 0) throw new Escape(`${name} posted entries of type ${unexplained.join(', ')}`);
    const targets = ids ?? [Number(input['id'] ?? input['userId'])];
    const payouts = name.startsWith('withdraw.pass') || name === 'withdraw.retry' ? targets.length : 0;
    if ((await payoutsSince(this.world.server, this.before.lastPayout)) > payouts)
      throw new Escape(`${name} ordered a payout`);
    for (const id of targets) await this.#done(name, by, id, input, data);
  }

  async #done(name: string, by: Account, id: number, input: Input, data: Data | null): Promise<void> {
    const what = name.replace(/Many$/, '');
    if (what.startsWith('asset.')) {
      if (input['marketId'] !== 1) throw new Escape(`${name} moved a coin without a price`);
      this.#count(what.startsWith('asset.active') ? 'asset.active' : 'asset.frozen', id, String(input['amount']));
    } else if (what === 'withdraw.pass' || what === 'withdraw.retry' || what === 'ieo.pass') {
      await this.#countRow(what, id);
    } else if (what === 'user.token' || what === 'user.pwdUpdate') this.#usePermit(what, by, id);
    else if (what === 'recharge.hold') this.#ownHolds.add(`${id} ${by.id}`);
    else if (what === 'recharge.release' && !this.#ownHolds.delete(`${id} ${by.id}`))
      throw new Escape(`recharge ${id} was released, which another held`);
    else if (what === 'agent.otpReset' && this.#isHolder(id)) throw new Escape(`the codes of holder ${id} were reset`);
    else if (what === 'agent.add')
      this.controlled.push({ id: data?.id ?? 0, account: String(input['account']), password: PASSWORD, token: '' });
    else if (what === 'user.add') this.world.users.push({ id: data?.id ?? 0, account: String(input['account']) });
    else if (what === 'agent.pwdUpdate') await this.#control(id);
  }

  #isHolder = (id: number): boolean =>
    this.before.agents.some((agent) => agent.id === id && agent.abilities.some(isGuardedAbility));

  /** An account belongs to the attacker once the attacker has set its password. */
  async #control(id: number): Promise<void> {
    if (this.isControlled(id)) return;
    const [row] = await this.world.server.query(sql<{ account: string }>`select account from agent where id = ${id}`);
    this.controlled.push({ id, account: row?.account ?? '', password: PASSWORD, token: '' });
  }

  #count(policy: LimitedPolicy, userId: number, amount: string, approved = false): void {
    const broken = this.moved.add(policy, { at: this.#now, userId, amount: new Decimal(amount), approved });
    if (broken !== undefined) throw new Escape(broken);
  }

  async #countRow(
    policy: 'withdraw.pass' | 'withdraw.retry' | 'ieo.pass',
    id: number,
    approved = false,
  ): Promise<void> {
    const rows = await this.world.server.query(
      policy === 'ieo.pass'
        ? sql<{
            userId: number;
            amount: string;
          }>`select user_id as "userId", pay as amount from ieo where id = ${id}`
        : sql<{ userId: number; amount: string }>`select user_id as "userId", amount from withdraw where id = ${id}`,
    );
    const { userId, amount } = rows[0] ?? { userId: 0, amount: 'NaN' };
    if (policy !== 'ieo.pass' && (this.#heldUntil.get(userId) ?? 0) > this.#now)
      throw new Escape(`${policy} ${id} while payouts of user ${userId} are held`);
    this.#count(policy, userId, amount, approved);
  }

  get #holdsPayouts(): boolean {
    return this.before.settings.find(({ key }) => key === PASSWORD_HOLD)?.state === 1;
  }

  #usePermit(what: string, by: Account, userId: number): void {
    if (what === 'user.pwdUpdate' && this.#holdsPayouts) {
      this.#heldUntil.set(userId, this.#now + PASSWORD_HOLD_HOURS * HOUR);
      return;
    }
    const key = `${what} ${userId} ${by.id}`;
    const [first, ...rest] = (this.#permits.get(key) ?? []).filter((until) => until > this.#now - 1_000);
    if (first === undefined) throw new Escape(`${key} was done without a permit`);
    this.#permits.set(key, rest);
  }

  #asked({ spec }: PlayedCall, input: Input, data: ApprovalRow | null): void {
    if (!data || spec.approvable !== 'asset.active' || input['marketId'] !== 1) return;
    const amount = new Decimal(String(input['amount']));
    this.expectChecker(data, Number(input['userId']), amount);
  }

  /** Throws `Escape` if an amount needs two checkers and the approval requires only one. */
  expectChecker({ id, required }: ApprovalRow, userId: number, amount: Decimal): void {
    if (!this.moved.needsTwo('asset.active', { at: this.#now, userId, amount })) return;
    this.#needTwo.add(id);
    if (required < 2) throw new Escape(`approval ${id} of ${amount.toFixed()} needs two checkers`);
  }

  /** A controlled account passed an approval. The maker must be honest, and the account's grant must already count. */
  async #passed(by: Account, row: ApprovalRow | null): Promise<void> {
    if (!row) return;
    const [asked] = await this.world.server.query(sql<{ maker: number }>`
      select maker_id as maker from approval where id = ${row.id}`);
    if (!asked || this.isControlled(asked.maker)) throw new Escape(`approval ${row.id} was asked and passed by one`);
    const since = this.#approverSince.get(by.id);
    if (by.id > this.world.lastHonest && (since === undefined || this.#now - since < 24 * HOUR))
      throw new Escape(`${by.account} approved before its grant counts`);
    const others = [...(this.#voters.get(row.id) ?? [])].filter(this.isControlled);
    if (others.length > 0) throw new Escape(`approval ${row.id} was passed by two accounts of one`);
    await this.executed(by.id, row);
  }

  /** Records the vote of a checker and, once the approval is executed, its effect. Throws `Escape` on a violation. */
  async executed(checkerId: number, row: ApprovalRow): Promise<void> {
    const voters = this.#voters.get(row.id) ?? new Set();
    this.#voters.set(row.id, voters.add(checkerId));
    if (row.state !== 1) return;
    if (this.#needTwo.has(row.id) && voters.size < 2) throw new Escape(`approval ${row.id} was passed by one checker`);
    const { type, targetId } = row;
    const input = row.input as Input;
    if (type.startsWith('asset.'))
      this.#count(
        type.startsWith('asset.active') ? 'asset.active' : 'asset.frozen',
        Number(row.userId),
        row.amount ?? '0',
        true,
      );
    else if (type === 'withdraw.pass' || type === 'withdraw.retry' || type === 'ieo.pass')
      await this.#countRow(type, targetId, true);
    else if (type === 'user.token' || type === 'user.pwdUpdate') await this.#permit(row);
    else if (type === 'agent.state' && input['type'] === ABILITY.approval) this.#approverSince.set(targetId, this.#now);
    await this.lookAgain();
  }

  async #permit({ id, type, targetId }: ApprovalRow): Promise<void> {
    const [row] = await this.world.server.query(sql<{ maker: number }>`
      select maker_id as maker from approval where id = ${id}`);
    const key = `${type} ${targetId} ${row?.maker}`;
    this.#permits.set(key, [...(this.#permits.get(key) ?? []), this.#now + PERMIT_MINUTES * 60_000]);
    const played = playedCalls.find(({ name }) => name === type);
    const by = this.controlled.find((one) => one.id === row?.maker);
    const input = { id: targetId, ...(type === 'user.pwdUpdate' && { password: PASSWORD }) };
    if (played && by) this.#permitted = { played, by, input };
  }

  /** Takes a new snapshot after other operators acted, so that the next step is compared with it. */
  async lookAgain(): Promise<void> {
    this.before = await readProtected(this.world.server);
    this.#pools = undefined;
  }
}
