import { ABILITIES, ABILITY } from '@hengtai/contract/authority/ability';
import type { LimitedPolicy } from '@hengtai/contract/authority/actions';
import { limitedPolicies } from '@hengtai/contract/desk/approval/calls';
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { makeOtpOperator } from './codes.ts';
import { onTron } from './address.ts';
import { PASSWORD, makeOperator } from './factories.ts';
import { type Approvers, lockFourEyes, makeApprovers } from './four-eyes.ts';
import { setPolicy } from './inspect.ts';
import { UNREACHABLE_PROVIDER } from './oidc.ts';
import { ADMIN, type TestServer, apply, send, testServer, unique } from './server.ts';

/** Data of the four-eyes model: three branches with users, small limits, four-eyes locked. */

export interface Account {
  id: number;
  account: string;
  password: string;
  token: string;
}

/** Amounts that one policy allows per day without a checker, and the amount that needs two checkers. */
export interface Limit {
  perUser: Decimal;
  branch: Decimal;
  house: Decimal;
  twoCheckers: Decimal;
}

const makeLimit = (perUser: number, branch: number, house: number, twoCheckers = Infinity): Limit => ({
  perUser: new Decimal(perUser),
  branch: new Decimal(branch),
  house: new Decimal(house),
  twoCheckers: new Decimal(twoCheckers),
});

/** Small enough that a few actions reach them. */
export const LIMITS: Readonly<Record<LimitedPolicy, Limit>> = {
  'asset.active': makeLimit(1_000, 1_200, 3_000, 3_000),
  // Branch and house limits are the default multiples.
  'asset.frozen': makeLimit(100, 1_000, 5_000),
  'withdraw.pass': makeLimit(1_000, 1_200, 3_000),
  'withdraw.retry': makeLimit(500, 600, 900),
  'ieo.pass': makeLimit(50, 60, 120),
  'recharge.release': makeLimit(100, 150, 400),
};

/** Policies that stay off when four-eyes are locked. Only the guards of their calls protect. */
const EXCEPTIONS = ['market.save', 'plan.save', 'second.configSave', 'second.configDel'];

export type Role = 'admin' | 'headquarters' | 'branch' | 'approver';
export const roles: readonly Role[] = ['admin', 'headquarters', 'branch', 'approver'];

export interface ModelWorld {
  server: TestServer;
  approvers: Approvers;
  attacker: Account;
  /** Honest approvers with full scope. */
  checkers: readonly Account[];
  /** An honest operator who requests adjustments that need a checker. */
  clerk: Account;
  /** The attacker created every agent with a greater id. */
  lastHonest: number;
  users: { id: number; account: string }[];
}

export async function makeModelWorld(role: Role): Promise<ModelWorld> {
  const server = await testServer({ jobs: false });
  server.app.oidc = UNREACHABLE_PROVIDER;
  const approvers = await makeApprovers(server);
  const { token } = approvers.admin;
  const chief = await makeOtpOperator(server, token, { abilities: ABILITIES.filter((ability) => ability !== 0) });
  const fourth = await makeOtpOperator(server, token, { abilities: [ABILITY.approval, ABILITY.headquarters] });
  const branch = await makeOtpOperator(server, token, {
    abilities: [ABILITY.users, ABILITY.assets, ABILITY.withdraw, ABILITY.subscription],
  });
  const otherBranch = await makeOperator(server, token, { abilities: [ABILITY.assets] });
  const grandchild = await makeOperator(server, token, { parent: branch.account });
  const clerk = await makeOperator(server, token, { abilities: [ABILITY.assets, ABILITY.headquarters] });
  const agents = [branch.account, grandchild.account, otherBranch.account, 'admin'];
  const users = await makeUsers(
    server,
    Array.from({ length: 24 }, (_, n) => agents[n % agents.length] ?? ''),
  );
  await setLimits(server);
  await server.query(sql`
    insert into gateway_key (key, name, rights, addresses, expires_at, nonce, by_account, created_at, recorded_at, updated_at)
    values ('engine', 'engine', '{tick,order}', '{10.0.0.0/8}', 10, 1, 'admin', 0, 0, 0)`);
  await makeWithdrawLimits(server);
  await lockFourEyes(server, approvers, EXCEPTIONS);
  const attacker = { admin: approvers.admin, headquarters: chief, branch, approver: approvers.third }[role];
  const accountOf = (one: { id: number; account: string; token: string }): Account => ({
    ...one,
    password: one.account === ADMIN.account ? ADMIN.password : PASSWORD,
  });
  return {
    server,
    approvers,
    attacker: accountOf(attacker),
    checkers: [accountOf(approvers.second), accountOf(fourth)],
    clerk: accountOf(clerk),
    lastHonest: clerk.id,
    users,
  };
}

/** A limit for everybody, a group without limits that nobody is in, and a tighter group that holds half of the users. */
async function makeWithdrawLimits(server: TestServer): Promise<void> {
  await server.query(sql`
    with groups as (
      insert into user_group (name, for_agents, created_at, updated_at)
      values ('vip', true, 0, 0), ('watched', true, 0, 0) returning id, name
    ),
    members as (
      insert into user_group_member (user_id, group_id, updated_at)
      select u.id, g.id, 0 from users u join groups g on g.name = 'watched' where u.id % 2 = 0
    )
    insert into withdraw_limit (market_id, level, group_id, version, max_amount, day_amount, fee_fixed, by_account, reason, created_at)
    select 1, 0, null, 1, 5000, 20000, 0, 'admin', '', 0
    union all select 1, null, id, 1, case name when 'vip' then 0 else 500 end, 0, null, 'admin', '', 0 from groups`);
}

async function makeUsers(server: TestServer, agents: readonly string[]): Promise<ModelWorld['users']> {
  const newUsers = agents.map((agent) => ({ agent, account: unique('user') }));
  await apply(
    server,
    ...newUsers.flatMap(({ agent, account }) => [
      { type: 'user.registered', data: { account, ...(agent !== 'admin' && { agent }) } },
      rechargeCredited(account),
    ]),
  );
  return server.query(sql<{ id: number; account: string }>`select id, account from users order by id`);
}

const wallet = { market: 'USDT', ...onTron('deposit') };
const rechargeCredited = (account: string) => ({
  type: 'recharge.credited',
  data: { no: unique('R'), account, ...wallet, amount: '100000', confirmations: 20, source: 1 },
});

/** Sets the policies to "above an amount", with the limits of the model. */
async function setLimits(server: TestServer): Promise<void> {
  for (const policy of limitedPolicies) {
    const { perUser, branch, house, twoCheckers } = LIMITS[policy];
    await setPolicy(server, policy, 2, perUser.toFixed());
    if (policy !== 'asset.frozen') {
      await setNum(server, `branchLimit.${policy}`, branch.toFixed());
      await setNum(server, `houseLimit.${policy}`, house.toFixed());
    }
    if (twoCheckers.isFinite()) await setNum(server, `twoCheckers.${policy}`, twoCheckers.toFixed());
  }
}

const setNum = (server: TestServer, key: string, num: string) =>
  server.query(sql`update config set num = ${num}::numeric where key = ${key}`);

/** Sends new platform events: withdrawals (some fail at the wallet), subscriptions and recharges. */
export async function sendPlatformEvents({ server, users }: ModelWorld, below: (n: number) => number): Promise<void> {
  const accounts = Array.from({ length: 4 }, () => users[below(users.length)]?.account ?? '');
  await sendAll(
    server,
    accounts.flatMap((account, n) => [
      {
        type: 'withdraw.requested',
        data: { no: unique('W'), account, ...wallet, amount: ['90', '400', '1000'][n % 3] ?? '90', fee: '0' },
      },
      { type: 'ieo.ordered', data: { no: unique('I'), account, market: 'HTT', price: '0.5', amount: '40' } },
      {
        type: 'recharge.detected',
        data: { no: unique('R'), account, ...wallet, amount: '70', confirmations: 1, source: 1 },
      },
      // Held on arrival, because the coin does not list the network.
      {
        type: 'recharge.credited',
        data: { no: unique('R'), account, ...wallet, network: 'TON', amount: '40', confirmations: 1, source: 1 },
      },
    ]),
  );
  const unpaid = await server.query(sql<{ no: string }>`
    select no from withdraw where state = 2 order by id desc limit 3`);
  await sendAll(
    server,
    unpaid.map(({ no }) => ({ type: 'withdraw.failed', data: { no } })),
  );
}

/** Sends events that may be rejected, for example because the user was deleted or frozen. */
async function sendAll(server: TestServer, events: { type: string; data: object }[]): Promise<void> {
  if (events.length > 0) await send(server, ...events);
}
