import { ABILITY } from '@hengtai/contract/authority/ability';
import type { LimitedPolicy } from '@hengtai/contract/authority/actions';
import { PASSWORD_HOLD, PASSWORD_HOLD_HOURS, PERMIT_MINUTES, POLICY } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { isGuardedAbility } from '@hengtai/contract/authority/guards';
import { sql } from 'kysely';
import {
  type ExistingValues,
  type Input,
  type ModelCall,
  makeInput,
  modelCalls,
  pickRandom,
} from './four-eyes-calls.ts';
import { fetchExistingValues } from './four-eyes-existing.ts';
import { MoneyMoved } from './four-eyes-limits.ts';
import {
  ALLOWED_ENTRY_TYPES,
  type Protections,
  findLoosened,
  countPayouts,
  fetchPostedTypes,
  fetchUnchanged,
  readProtections,
} from './four-eyes-rules.ts';
import { findLooserLine, settingsOf } from './four-eyes-reach.ts';
import { type SignedResult, findUnsigned } from './four-eyes-signed.ts';
import type { Account, ModelWorld } from './four-eyes-world.ts';
import { PASSWORD } from './factories.ts';
import { type ApiResponse, call } from './server.ts';

const HOUR = 3_600_000;
const FOREVER = 100 * 365 * 24 * HOUR;
/** Maximum number of accounts and of users that the attacker creates. */
const MAX_ACCOUNTS = 8;
const MAX_USERS = 60;
/** Number of latest calls whose records are preferred. */
const TOUCHED_CALLS = 6;

/** A violated rule; the message describes it. */
export class RuleViolation extends Error {}

interface SentCall {
  call: ModelCall;
  operator: Account;
  input: Input;
}
interface Data {
  id?: number;
  results?: { id: number; code: number }[];
}

/** Where the user and the amount of an action on a record are found. */
const COUNTED_ROWS = {
  'withdraw.pass': { table: 'withdraw', amount: 'amount' },
  'withdraw.retry': { table: 'withdraw', amount: 'amount' },
  'ieo.pass': { table: 'ieo', amount: 'pay' },
  'recharge.release': { table: 'recharge', amount: 'amount' },
} as const;
type CountedPolicy = keyof typeof COUNTED_ROWS;

const isCounted = (action: string): action is CountedPolicy => action in COUNTED_ROWS;

const BRANCH_MOVING_CALLS = ['agent.parentChange', 'agent.del', 'user.agentChange', 'user.agentChangeMany', 'user.add'];

/**
 * One compromised operator, who controls every account that it creates or resets, and the state of the model. The model
 * judges each answer by its own rules.
 */
export class Attack {
  readonly world: ModelWorld;
  readonly below: (n: number) => number;
  readonly controlled: Account[];
  readonly moneyMoved = new MoneyMoved();
  readonly log: string[] = [];
  /** Number of times each call succeeded without a checker. */
  readonly uncheckedCalls = new Map<string, number>();
  before!: Protections;
  #pools: ExistingValues | undefined;
  #recentCalls: SentCall[] = [];
  /** What the latest successful calls named. */
  #touched: { noun: string; input: Input }[] = [];
  /** The latest call for which an approval gave a permit. */
  #permitted: SentCall | undefined;
  /** Expiry times of permits for controlled accounts, keyed by call, user and maker. */
  readonly #permits = new Map<string, number[]>();
  readonly #heldUntil = new Map<number, number>();
  readonly #approverSince = new Map<number, number>();
  readonly #needsTwoCheckers = new Set<number>();
  readonly #voters = new Map<number, Set<number>>();
  /** Who held a recharge last, by its id; no entry if the server holds it. */
  readonly #holders = new Map<number, number>();

  constructor(world: ModelWorld, below: (n: number) => number) {
    this.world = world;
    this.below = below;
    this.controlled = [world.attacker];
  }

  async begin(): Promise<void> {
    await this.moneyMoved.recordBranches(this.world.server);
    this.before = await readProtections(this.world.server);
  }

  get #now(): number {
    return this.world.server.clock.now();
  }

  isControlled = (id: number): boolean => this.controlled.some((one) => one.id === id);

  /** Sends a call as an account. Logs in again if its session has ended. */
  async send<T>(by: Account, path: string, input: object): Promise<ApiResponse<T | null>> {
    const { server } = this.world;
    let response = await call<T | null>(server, 'POST', path, input, { token: by.token });
    if (response.code === 400 || response.code === 428) {
      await this.logIn(by);
      response = await call<T | null>(server, 'POST', path, input, { token: by.token });
    }
    if (response.token) by.token = response.token;
    this.log.push(`${by.account} ${path} ${JSON.stringify(input)}: ${response.code} ${response.msg}`);
    if (this.log.length > 200) this.log.splice(0, 100);
    return response;
  }

  /**
   * Logs in without one-time codes and forced password changes: the attacker owns the authenticators of its accounts.
   */
  async logIn(one: Account): Promise<void> {
    const { server } = this.world;
    await server.query(sql`update agent set otp_since = null, password_by_other = false where id = ${one.id}`);
    const { token } = await call(server, 'POST', 'login', { account: one.account, password: one.password });
    if (token) one.token = token;
    await server.query(sql`update agent set otp_since = 1 where id = ${one.id}`);
    const expiresAt = this.#now + FOREVER;
    await server.query(sql`update session set fresh_at = ${expiresAt}, expires_at = ${expiresAt}, absolute_at = ${expiresAt}
      where operator_id = ${one.id} and ended_at is null`);
  }

  /** Sends one call of the contract, by default a random one, as one of the controlled accounts. */
  async sendRandomCall(name?: string): Promise<void> {
    const modelCall =
      name === undefined ? pickRandom(this.below, modelCalls) : modelCalls.find((one) => one.name === name);
    const operator = this.below(3) > 0 ? this.world.attacker : pickRandom(this.below, this.controlled);
    if (!modelCall || !operator) throw new Error(`There is no call ${name}.`);
    if (modelCall.name === 'agent.add' && this.controlled.length > MAX_ACCOUNTS) return;
    if (modelCall.name === 'user.add' && this.world.users.length > MAX_USERS) return;
    this.#pools ??= await fetchExistingValues(this.world, this.#touched);
    await this.#sendCall(modelCall, operator, makeInput(modelCall, this.#pools, this.below));
  }

  /** Repeats a recent call, executed or requested, as the same account. */
  async repeat(): Promise<void> {
    const permittedCall = this.below(2) === 0 ? this.#permitted : undefined;
    const last = permittedCall ?? pickRandom(this.below, this.#recentCalls);
    if (last) await this.#sendCall(last.call, last.operator, last.input);
  }

  async #sendCall(modelCall: ModelCall, operator: Account, input: Input): Promise<void> {
    const { code, data, requestId } = await this.send<Data & ApprovalRow>(operator, modelCall.spec.path, input);
    if (code !== 200 && code !== 202) return;
    this.#pools = undefined;
    this.#touched = [...this.#touched.slice(1 - TOUCHED_CALLS), { noun: modelCall.noun, input }];
    this.#recentCalls = [...this.#recentCalls.slice(-9), { call: modelCall, operator, input }];
    if (code === 202) this.#checkRequest(modelCall, input, data);
    else await this.#judge(modelCall, operator, { input, requestId }, data);
    if (BRANCH_MOVING_CALLS.includes(modelCall.name)) await this.moneyMoved.recordBranches(this.world.server);
    await this.compare();
  }

  /** Throws `RuleViolation` if one person reaches more than after the step before. */
  async compare(): Promise<void> {
    const now = await readProtections(this.world.server);
    const loosened = findLoosened(this.before, now);
    if (loosened !== undefined) throw new RuleViolation(loosened);
    this.before = now;
  }

  /** Judges a call that ran without a checker: it is allowed, counted against a limit, or an escape. */
  async #judge(
    modelCall: ModelCall,
    operator: Account,
    { input, requestId }: { input: Input; requestId: string },
    data: (Data & ApprovalRow) | null,
  ): Promise<void> {
    const { name, spec } = modelCall;
    const done = spec.bulk ? (data?.results ?? []).filter(({ code }) => code === 200).map(({ id }) => id) : undefined;
    if (done?.length === 0) return;
    this.uncheckedCalls.set(name, (this.uncheckedCalls.get(name) ?? 0) + 1);
    if (name === 'approval.pass') return this.#judgePass(operator, data);
    const posted = await fetchPostedTypes(this.world.server, this.before.lastEntry);
    const unexpected = posted.filter((type) => !(ALLOWED_ENTRY_TYPES[name] ?? []).includes(type));
    if (unexpected.length > 0) throw new RuleViolation(`${name} posted entries of type ${unexpected.join(', ')}`);
    const unchanged = await fetchUnchanged(this.world.server, requestId);
    const targets = done?.filter((id) => !unchanged.includes(id)) ?? [Number(input['id'] ?? input['userId'])];
    const payouts = name.startsWith('withdraw.pass') || name === 'withdraw.retry' ? targets.length : 0;
    if ((await countPayouts(this.world.server, this.before.lastPayout)) > payouts)
      throw new RuleViolation(`${name} ordered a payout`);
    if (targets.length === 0 || (!done && unchanged.length > 0)) return;
    const policy = settingsOf(this.before.lines).find(({ key }) => key === `policy.${spec.approvable}`);
    if (policy?.state === POLICY.always)
      throw new RuleViolation(`${name} was done alone under a policy that asks always`);
    for (const id of targets) await this.#recordEffect(name, operator, id, input, data);
  }

  async #recordEffect(name: string, by: Account, id: number, input: Input, data: Data | null): Promise<void> {
    const action = name.replace(/Many$/, '');
    if (action.startsWith('asset.')) {
      if (input['marketId'] !== 1) throw new RuleViolation(`${name} moved a coin without a price`);
      this.#count(action.startsWith('asset.active') ? 'asset.active' : 'asset.frozen', id, String(input['amount']));
    } else if (action === 'recharge.release') await this.#judgeRelease(id, by);
    else if (isCounted(action)) await this.#countRow(action, id);
    else if (action === 'user.token' || action === 'user.pwdUpdate') this.#usePermit(action, by, id);
    else if (action === 'recharge.hold') this.#holders.set(id, by.id);
    else if (action === 'agent.otpReset' && this.#isHolder(id))
      throw new RuleViolation(`the codes of holder ${id} were reset`);
    else if (action === 'agent.oidcLink' && this.#isHolder(id))
      throw new RuleViolation(`holder ${id} was linked to an account of the identity provider`);
    else if (action === 'agent.add')
      this.controlled.push({ id: data?.id ?? 0, account: String(input['account']), password: PASSWORD, token: '' });
    else if (action === 'user.add') this.world.users.push({ id: data?.id ?? 0, account: String(input['account']) });
    else if (action === 'agent.pwdUpdate') await this.#takeOver(id);
  }

  async #judgeRelease(id: number, by: Account): Promise<void> {
    const holder = this.#holders.get(id) ?? by.id;
    if (holder !== by.id) throw new RuleViolation(`recharge ${id} was released, which another held`);
    this.#holders.delete(id);
    const credited = await this.world.server.query(sql`select from recharge where id = ${id} and state = 1`);
    if (credited.length > 0) await this.#countRow('recharge.release', id);
  }

  #isHolder = (id: number): boolean =>
    this.before.agents.some((agent) => agent.id === id && agent.abilities.some(isGuardedAbility));

  /** An account belongs to the attacker once the attacker has set its password. */
  async #takeOver(id: number): Promise<void> {
    if (this.isControlled(id)) return;
    const [row] = await this.world.server.query(sql<{ account: string }>`select account from agent where id = ${id}`);
    this.controlled.push({ id, account: row?.account ?? '', password: PASSWORD, token: '' });
  }

  #count(policy: LimitedPolicy, userId: number, amount: string, isApproved = false): void {
    const violation = this.moneyMoved.add(policy, { at: this.#now, userId, amount: new Decimal(amount), isApproved });
    if (violation !== undefined) throw new RuleViolation(violation);
  }

  async #countRow(policy: CountedPolicy, id: number, isApproved = false): Promise<void> {
    const { table, amount: column } = COUNTED_ROWS[policy];
    const rows = await this.world.server.query(sql<{ userId: number; amount: string }>`
      select user_id as "userId", ${sql.ref(column)} as amount from ${sql.table(table)} where id = ${id}`);
    const { userId, amount } = rows[0] ?? { userId: 0, amount: 'NaN' };
    if (table === 'withdraw' && (this.#heldUntil.get(userId) ?? 0) > this.#now)
      throw new RuleViolation(`${policy} ${id} while payouts of user ${userId} are held`);
    this.#count(policy, userId, amount, isApproved);
  }

  get #holdsPayouts(): boolean {
    return settingsOf(this.before.lines).find(({ key }) => key === PASSWORD_HOLD)?.state === 1;
  }

  #usePermit(action: string, by: Account, userId: number): void {
    if (action === 'user.pwdUpdate' && this.#holdsPayouts) {
      this.#heldUntil.set(userId, this.#now + PASSWORD_HOLD_HOURS * HOUR);
      return;
    }
    const key = `${action} ${userId} ${by.id}`;
    const [expiresAt, ...rest] = (this.#permits.get(key) ?? []).filter((until) => until > this.#now - 1_000);
    if (expiresAt === undefined) throw new RuleViolation(`${key} was done without a permit`);
    this.#permits.set(key, rest);
  }

  #checkRequest({ spec }: ModelCall, input: Input, data: ApprovalRow | null): void {
    if (!data || spec.approvable !== 'asset.active' || input['marketId'] !== 1) return;
    const amount = new Decimal(String(input['amount']));
    this.expectChecker(data, Number(input['userId']), amount);
  }

  /** Throws `RuleViolation` if an amount needs two checkers and the approval requires only one. */
  expectChecker({ id, required }: ApprovalRow, userId: number, amount: Decimal): void {
    if (!this.moneyMoved.needsTwo('asset.active', { at: this.#now, userId, amount })) return;
    this.#needsTwoCheckers.add(id);
    if (required < 2) throw new RuleViolation(`approval ${id} of ${amount.toFixed()} needs two checkers`);
  }

  /** A controlled account passed an approval. The maker must be honest, and the account's grant must already count. */
  async #judgePass(by: Account, row: ApprovalRow | null): Promise<void> {
    if (!row) return;
    const [approval] = await this.world.server.query(sql<{ maker: number }>`
      select maker_id as maker from approval where id = ${row.id}`);
    if (!approval || this.isControlled(approval.maker))
      throw new RuleViolation(`approval ${row.id} was asked and passed by one`);
    const since = this.#approverSince.get(by.id);
    if (by.id > this.world.lastHonest && (since === undefined || this.#now - since < 24 * HOUR))
      throw new RuleViolation(`${by.account} approved before its grant counts`);
    const others = [...(this.#voters.get(row.id) ?? [])].filter(this.isControlled);
    if (others.length > 0) throw new RuleViolation(`approval ${row.id} was passed by two accounts of one`);
    await this.recordVote(by.id, row);
  }

  /** Records the vote of a checker and, once the approval is executed, its effect. Throws `RuleViolation` on a violation. */
  async recordVote(checkerId: number, row: ApprovalRow): Promise<void> {
    const voters = this.#voters.get(row.id) ?? new Set();
    this.#voters.set(row.id, voters.add(checkerId));
    if (row.state !== 1) return;
    await this.#checkSigned(row);
    if (this.#needsTwoCheckers.has(row.id) && voters.size < 2)
      throw new RuleViolation(`approval ${row.id} was passed by one checker`);
    const { type, targetId } = row;
    const input = row.input as Input;
    if (type.startsWith('asset.'))
      this.#count(
        type.startsWith('asset.active') ? 'asset.active' : 'asset.frozen',
        Number(row.userId),
        row.amount ?? '0',
        true,
      );
    else if (type === 'recharge.release') {
      this.#holders.delete(targetId);
      this.#count(type, Number(row.userId), row.amount ?? '0', true);
    } else if (isCounted(type)) await this.#countRow(type, targetId, true);
    else if (type === 'user.token' || type === 'user.pwdUpdate') await this.#addPermit(row);
    else if (type === 'agent.state' && input['type'] === ABILITY.approval) this.#approverSince.set(targetId, this.#now);
    await this.refreshSnapshot();
  }

  /** What an approval made is exactly what it signed. One that signed no result loosens nothing but agents. */
  async #checkSigned({ id, type }: ApprovalRow): Promise<void> {
    const [approval] = await this.world.server.query(sql<{ result: SignedResult | null }>`
      select result from approval where id = ${id}`);
    const { lines } = await readProtections(this.world.server);
    const found = approval?.result
      ? findUnsigned(this.before.lines, lines, approval.result)
      : findLooserLine(this.before.lines, lines);
    if (found !== undefined) throw new RuleViolation(`approval ${id} of ${type}: ${found}`);
  }

  async #addPermit({ id, type, targetId }: ApprovalRow): Promise<void> {
    const [row] = await this.world.server.query(sql<{ maker: number }>`
      select maker_id as maker from approval where id = ${id}`);
    const key = `${type} ${targetId} ${row?.maker}`;
    this.#permits.set(key, [...(this.#permits.get(key) ?? []), this.#now + PERMIT_MINUTES * 60_000]);
    const modelCall = modelCalls.find(({ name }) => name === type);
    const operator = this.controlled.find((one) => one.id === row?.maker);
    const input = { id: targetId, ...(type === 'user.pwdUpdate' && { password: PASSWORD }) };
    if (modelCall && operator) this.#permitted = { call: modelCall, operator, input };
  }

  /** Takes a new snapshot after other operators acted, so that the next step is compared with it. */
  async refreshSnapshot(): Promise<void> {
    this.before = await readProtections(this.world.server);
    this.#pools = undefined;
  }
}
