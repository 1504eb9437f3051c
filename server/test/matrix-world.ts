import { randomBytes } from 'node:crypto';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { type TestOperator, findUser, findWithdraw, clearRateLimits, makeOperator, makeUser } from './factories.ts';
import { UNREACHABLE_PROVIDER } from './oidc.ts';
import { encryptSecret } from '../src/host/secret-key.ts';
import { raiseAlarm } from '../src/domains/house/alarm/alarm.store.ts';
import { inTransaction } from '../src/database/connect.ts';
import { makeMarket, marketSettings } from './book.ts';
import { makeLiabilities } from '../src/domains/desk/report/liability.jobs.ts';
import { settleBinaryContracts } from '../src/domains/trading/binary-contract/binary-contract.jobs.ts';
import { PNG, kycSubmission } from './identity.ts';
import { type TestServer, apply, call, login } from './server.ts';
import { orderFilled } from './spot.ts';

/**
 * Places of a tree relative to the operator under test: its own node, its child, its sibling, a separate tree, and its
 * parent. Every account, number, address and remark of a place contains the place's canary, a random word, so that a
 * leaked row is found in any answer.
 */
export const PLACES = ['own', 'child', 'sibling', 'other', 'parent'] as const;
export type TreePlace = (typeof PLACES)[number];
export type Place = TreePlace | 'absent';

export interface PlaceData {
  canary: string;
  agent: TestOperator;
  user: { id: number; account: string };
  /** A rejected withdrawal and the id of the request that rejected it. */
  rejected: WithdrawRow;
  requestId: string;
  /** Agent and user are deleted, so nothing new can be created here. */
  isDeleted?: true;
}

/** Thrown when a record cannot be created because the agent and user of the place are deleted. */
export class NoSuchCase extends Error {}

const assertNotDeleted = ({ isDeleted }: Pick<PlaceData, 'isDeleted'>): void => {
  if (isDeleted) throw new NoSuchCase();
};

export interface World {
  server: TestServer;
  admin: string;
  places: Record<TreePlace, PlaceData>;
  /** A withdrawal of the own user for which the parent's operator requested an approval. */
  withdrawalInApproval: number;
  /** A withdrawal of the own user to an address that a user of another tree has used too. */
  sharedAddressWithdrawal: number;
  /** Prefix for accounts that callers choose. It must not be hidden from them. */
  accountPrefix?: string;
  /** A number that is unique in this world. */
  next(): number;
}

type Base = Pick<World, 'server' | 'admin' | 'next'>;

/** Letters instead of digits: a search for an id must not find texts by chance. */
const withoutDigits = (text: string): string => text.replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

/** A new ending of an account. */
export const nextName = (world: Pick<World, 'next'>): string => withoutDigits(String(world.next()));

export const NOBODY = 'nobody-at-all';
export const ABSENT_ID = 999_999_999;
export const WORLD_PASSWORD = 'operator-password';
/** An address that users of two trees share. */
const SHARED = 'T-shared-address';

const ALL_BUT_HEADQUARTERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const ABILITIES: Record<TreePlace, readonly number[]> = {
  own: ALL_BUT_HEADQUARTERS,
  child: [],
  sibling: ALL_BUT_HEADQUARTERS,
  other: ALL_BUT_HEADQUARTERS,
  parent: ALL_BUT_HEADQUARTERS,
};

export async function makeWorld(server: TestServer): Promise<World> {
  server.app.oidc = UNREACHABLE_PROVIDER;
  const admin = await login(server);
  let counter = 0;
  const next = (): number => (counter += 1);
  const base = { server, admin, next };
  const parent = await makePlace(base, 'parent');
  const own = await makePlace(base, 'own', parent);
  const child = await makePlace(base, 'child', own);
  const sibling = await makePlace(base, 'sibling', parent);
  const other = await makePlace(base, 'other');
  const world: World = {
    ...base,
    places: { own, child, sibling, other, parent },
    withdrawalInApproval: 0,
    sharedAddressWithdrawal: 0,
  };
  for (const place of PLACES) await makeApprovalAt(world, place);
  await requestWithdrawalAt(world, 'other', SHARED);
  const { id: sharedAddressWithdrawal } = await requestWithdrawalAt(world, 'own', SHARED);
  // A request of the parent's operator about the own user. The own operator sees it, but not its maker.
  const withdrawalInApproval = await makeWithdrawAt(world, 'own', 7);
  await requestRefund(world, withdrawalInApproval, 'because', parent.agent.token);
  // Without statistics the planner chooses slow plans for the rows that the tests add.
  await server.query(sql`analyze`);
  return { ...world, withdrawalInApproval, sharedAddressWithdrawal };
}

async function makePlace(base: Base, place: TreePlace, parent?: PlaceData): Promise<PlaceData> {
  const { server, admin } = base;
  const canary = `cnry${withoutDigits(randomBytes(8).toString('hex'))}`;
  const parentOptions = parent ? { parent: parent.agent.account } : {};
  const agent = await makeOperator(server, admin, {
    account: `${canary}.a`,
    abilities: ABILITIES[place],
    ...parentOptions,
  });
  const account = `${canary}.u`;
  await apply(
    server,
    { type: 'user.registered', data: { account, agent: agent.account, remark: canary } },
    {
      type: 'recharge.credited',
      data: {
        no: `${canary}-r`,
        account,
        market: 'USDT',
        network: 'TRC20',
        address: `${canary}-deposit`,
        amount: '1000000',
        confirmations: 20,
        source: 1,
        txHash: `${canary}-hash`,
      },
    },
    { type: 'user.credential', data: { account, kind: 'password' } },
    { type: 'user.login', data: { account, ip: '10.1.1.1' } },
  );
  const { id } = await findUser(server, admin, account);
  const data = { canary, agent, user: { id, account } };
  const withdrawal = await requestWithdrawal(base, data);
  const response = await callOrThrow<WithdrawRow>(base, 'withdraw/reject', { id: withdrawal.id, reason: canary });
  return { ...data, rejected: response.data, requestId: response.requestId };
}

async function callOrThrow<T>({ server, admin }: Base, path: string, input: object, token = admin) {
  const response = await call<T>(server, 'POST', path, input, { token });
  if (response.code !== 200 && response.code !== 202) throw new Error(`${path}: ${response.code} ${response.msg}`);
  return response;
}

async function requestWithdrawal(
  { server, admin, next }: Base,
  { canary, user, isDeleted }: Pick<PlaceData, 'canary' | 'user' | 'isDeleted'>,
  address?: string,
): Promise<WithdrawRow> {
  assertNotDeleted({ ...(isDeleted && { isDeleted }) });
  const no = `${canary}-w${next()}`;
  const withdrawal = {
    no,
    account: user.account,
    market: 'USDT',
    network: 'TRC20',
    memo: canary,
    amount: '10',
    fee: '1',
  };
  await apply(server, { type: 'withdraw.requested', data: { ...withdrawal, address: address ?? `${canary}-to` } });
  return findWithdraw(server, admin, no);
}

export const requestWithdrawalAt = (world: World, place: TreePlace, address?: string): Promise<WithdrawRow> =>
  requestWithdrawal(world, world.places[place], address);

/** Creates a withdrawal of the place's user in the given state and returns its id. */
export async function makeWithdrawAt(world: World, place: Place, state: 0 | 2 | 5 | 7 | 8): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const row = await requestWithdrawalAt(world, place);
  if (state === 5) await callOrThrow(world, 'withdraw/reject', { id: row.id, reason: 'no' });
  if (state === 2 || state === 7 || state === 8) await callOrThrow(world, 'withdraw/pass', { id: row.id });
  if (state === 7 || state === 8) {
    await apply(world.server, { type: state === 7 ? 'withdraw.failed' : 'withdraw.unknown', data: { no: row.no } });
  }
  return row.id;
}

/** Creates an approval for the place's user, requested by the admin or the token's operator, and returns its id. */
export async function makeApprovalAt(world: World, place: Place, maker = world.admin): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const id = await makeWithdrawAt(world, place, 7);
  return requestRefund(world, id, world.places[place].canary, maker);
}

async function requestRefund(world: World, id: number, reason: string, maker: string): Promise<number> {
  const { code, data } = await callOrThrow<ApprovalRow>(world, 'withdraw/refund', { id, reason }, maker);
  if (code !== 202) throw new Error('a refund did not wait for its second person');
  return data.id;
}

/** Like `approvalAt`, already decided by the place's own operator. */
export async function makeRejectedApprovalAt(world: World, place: TreePlace): Promise<number> {
  const id = await makeApprovalAt(world, place);
  await callOrThrow(world, 'approval/reject', { id, reason: 'no' }, world.places[place].agent.token);
  return id;
}

/** Creates an agent below the place's own. */
export async function makeAgentBelow(world: World, place: Place): Promise<{ id: number; account: string }> {
  if (place === 'absent') return { id: ABSENT_ID, account: NOBODY };
  const { canary, agent, isDeleted } = world.places[place];
  if (isDeleted) return agent;
  const account = `${canary}.b${nextName(world)}`;
  await clearRateLimits(world.server);
  const response = await callOrThrow<{ id: number }>(world, 'agent/add', {
    account,
    password: WORLD_PASSWORD,
    parentAccount: agent.account,
  });
  return { id: response.data.id, account };
}

/** Creates an agent with one-time codes below the place's own and returns its id. */
export async function makeOtpAgentBelow(world: World, place: Place): Promise<number> {
  const { id } = await makeAgentBelow(world, place);
  await world.server.query(sql`update agent set otp_since = 1 where id = ${id}`);
  return id;
}

/** Creates a session of the place's operator, optionally an ended one, and returns its id. */
export async function makeSessionAt(world: World, place: Place, isEnded = false): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  assertNotDeleted(world.places[place]);
  const { id: operatorId, account } = world.places[place].agent;
  await login(world.server, account, WORLD_PASSWORD);
  const [newest] = await world.server.query(sql<{ id: number }>`
    select max(id) as id from session where operator_id = ${operatorId}`);
  const id = newest?.id ?? 0;
  if (isEnded) await callOrThrow(world, 'session/kick', { id });
  return id;
}

/** An unused account name with a prefix that its caller may read. */
export const unusedAccount = (world: World): string =>
  `${world.accountPrefix ?? world.places.child.canary}.n${nextName(world)}`;

export const agentOf = (world: World, place: Place): { id: number; account: string } =>
  place === 'absent' ? { id: ABSENT_ID, account: NOBODY } : world.places[place].agent;

export const userOf = (world: World, place: Place): { id: number; account: string } =>
  place === 'absent' ? { id: ABSENT_ID, account: NOBODY } : world.places[place].user;

/** The id of a setting that every holder of the ability may change. */
export async function fetchSettingId({ server, admin }: World): Promise<number> {
  const { data } = await call<{ id: number; key: string }[]>(server, 'GET', 'config/list', {}, { token: admin });
  return data.find(({ key }) => key === 'withdraw.credentialHours')?.id ?? 0;
}

/** Creates a change of that setting, so that its value can be restored. */
export async function changeSetting(world: World): Promise<{ id: number; historyId: number }> {
  const { server, admin } = world;
  const id = await fetchSettingId(world);
  const num = String(10 + (world.next() % 700));
  await call(server, 'POST', 'config/save', { id, num }, { token: admin });
  const { data } = await call<{ list: { id: number }[] }>(server, 'GET', 'config/history', { id }, { token: admin });
  return { id, historyId: data.list[0]?.id ?? 0 };
}

/** Creates an announcement, which belongs to every operator with the ability, and returns its id. */
export async function makeAnnouncement({ server, admin }: World): Promise<number> {
  const item = { lang: 'zh-CN', title: '公告', content: '<p>公告</p>', platform: 0, state: 0 };
  const { data } = await call<{ id: number }[]>(
    server,
    'POST',
    'announce/add',
    { announceList: [item] },
    { token: admin },
  );
  return data[0]?.id ?? 0;
}

/** Uploads an image for announcements and returns its key. */
export async function makeAnnouncementImage({ server, admin }: World): Promise<string> {
  const { data } = await call<{ key: string }>(server, 'POST', 'announce/image/add', { image: PNG }, { token: admin });
  return data.key;
}

/**
 * Creates a user at the place and applies the admin's call to it. The account carries the canary of its later viewer.
 */
export async function makeUserAt(
  world: World,
  place: Place,
  options: { path?: string; viewer?: TreePlace } = {},
): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  if (world.places[place].isDeleted) return world.places[place].user.id;
  const account = `${world.places[options.viewer ?? place].canary}.f${nextName(world)}`;
  await makeUser(world.server, { account, agent: world.places[place].agent.account });
  const { id } = await findUser(world.server, world.admin, account);
  if (options.path !== undefined) await callOrThrow(world, options.path, { id });
  return id;
}

/** A group of users that operators of agents may choose. */
export async function makeUserGroup(world: World): Promise<number> {
  const [group] = await world.server.query(sql<{ id: number }>`
    insert into user_group (name, for_agents, created_at, updated_at) values (${`group${nextName(world)}`}, true, 1, 1) returning id`);
  return group?.id ?? 0;
}

/** Adds a note of the admin to the place's user. */
export async function addNoteAt(world: World, place: Place): Promise<void> {
  if (place === 'absent') return;
  const { canary, user } = world.places[place];
  assertNotDeleted(world.places[place]);
  await callOrThrow(world, 'user/note/add', { id: user.id, text: canary });
}

/** Creates a recharge of the place's user and returns its id: pending (0), failed (2) or held (3). */
export async function makeRechargeAt(world: World, place: Place, state: 0 | 2 | 3): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, user } = world.places[place];
  assertNotDeleted(world.places[place]);
  const no = `${canary}-r${world.next()}`;
  const recharge = {
    no,
    account: user.account,
    market: 'USDT',
    network: 'TRC20',
    amount: '5',
    confirmations: 1,
    source: 1,
  };
  await apply(world.server, {
    type: 'recharge.detected',
    data: { ...recharge, address: `${canary}-deposit`, txHash: `${canary}-hash` },
  });
  const page = await call<{ list: { id: number }[] }>(
    world.server,
    'GET',
    'recharge/list',
    { no },
    { token: world.admin },
  );
  const id = page.data.list[0]?.id ?? 0;
  if (state === 3) await callOrThrow(world, 'recharge/hold', { id });
  if (state === 2) await apply(world.server, { type: 'recharge.failed', data: { no } });
  return id;
}

/** Creates an identity review of a new user of the place and returns its id: pending (0) or rejected (2). */
export async function makeKycAt(world: World, place: Place, state: 0 | 2 = 0, number?: string): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  assertNotDeleted(world.places[place]);
  const { canary, agent } = world.places[place];
  const account = `${canary}.k${nextName(world)}`;
  await makeUser(world.server, { account, agent: agent.account });
  // The visible part of the masked number is the same in every world.
  const document = { name: `${canary} name`, idNumber: number ?? `${canary}0000`, country: `${canary}-land` };
  await apply(world.server, { type: 'auth.submitted', data: kycSubmission(account, document) });
  const page = await call<{ list: { id: number }[] }>(
    world.server,
    'GET',
    'auth/list',
    { account },
    { token: world.admin },
  );
  const id = page.data.list[0]?.id ?? 0;
  if (state === 2) await callOrThrow(world, 'auth/review/reject', { id, reason: canary });
  return id;
}

/** Creates a subscription of the place's user and returns its id: pending (0) or rejected (2). */
export async function makeIeoAt(world: World, place: Place, state: 0 | 2 = 0): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, user } = world.places[place];
  assertNotDeleted(world.places[place]);
  const no = `${canary}-i${world.next()}`;
  const subscription = { no, account: user.account, market: 'HTT', price: '0.5', amount: '4' };
  await apply(world.server, { type: 'ieo.ordered', data: subscription });
  const input = { no, type: 'review' };
  const { data } = await call<{ list: { id: number }[] }>(world.server, 'GET', 'ieo/order/list', input, {
    token: world.admin,
  });
  const id = data.list[0]?.id ?? 0;
  if (state === 2) await callOrThrow(world, 'ieo/order/reject', { id, reason: canary });
  return id;
}

/** Creates a ledger entry of the place's user, optionally marked as checked, and returns its id. */
export async function makeLedgerEntryAt(world: World, place: Place, isChecked = false): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  await makeTransferAt(world, place, place);
  const input = { userId: world.places[place].user.id, type: 6 };
  const page = await call<{ list: { id: number }[] }>(world.server, 'GET', 'fund/record', input, {
    token: world.admin,
  });
  const id = page.data.list[0]?.id ?? 0;
  if (isChecked) await callOrThrow(world, 'fund/record/state/check', { id });
  return id;
}

/** Creates a transfer between the users of two places and returns its number. */
export async function makeTransferAt(world: World, from: TreePlace, to: TreePlace, toPlatform = 2): Promise<string> {
  assertNotDeleted(world.places[from]);
  // Both sides see the number, so a transfer between two trees must not contain a canary.
  const no = from === to ? `${world.places[from].canary}-t${world.next()}` : `between-${world.next()}`;
  await apply(world.server, {
    type: 'transfer.made',
    data: {
      no,
      account: world.places[from].user.account,
      toAccount: world.places[to].user.account,
      market: 'USDT',
      platform: 1,
      toPlatform,
      amount: '1',
    },
  });
  return no;
}

/** A market for calls that change all orders of a market. The other lines have theirs in BTC. */
export const CLEARED_MARKET = { id: 3, market: 'ETH' };

/** Creates a spot order of the place's user and returns its id: open (0), filled (2) or cancelled by the user (3). */
export async function makeSpotOrderAt(
  world: World,
  place: Place,
  state: 0 | 2 | 3 = 0,
  { market } = { market: 'BTC' },
): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  await makeTransferAt(world, place, place);
  const { canary, user } = world.places[place];
  const no = `${canary}-o${world.next()}`;
  const order = { no, account: user.account, market, side: 1, type: 1, price: '0.5', amount: '1' };
  await apply(world.server, { type: 'order.placed', data: order });
  const { server, admin } = world;
  const page = await call<{ list: { id: number }[] }>(server, 'GET', 'trade/order/list', { no }, { token: admin });
  if (state === 2) await apply(server, orderFilled(no, '1', '0.5', '0', `${no}-f`));
  if (state === 3) await apply(server, { type: 'order.cancelled', data: { no } });
  return page.data.list[0]?.id ?? 0;
}

/** Creates a binary contract of the place's user and returns its id: running (0) or voided by the settlement (2). */
export async function makeBinaryContractAt(world: World, place: Place, state: 0 | 2 = 0): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { server, admin } = world;
  const { canary, user } = world.places[place];
  assertNotDeleted(world.places[place]);
  const no = `${canary}-s${world.next()}`;
  const account = user.account;
  const transfer = {
    no: `${no}-t`,
    account,
    toAccount: account,
    market: 'USDT',
    platform: 1,
    toPlatform: 4,
    amount: '10',
  };
  await apply(server, { type: 'transfer.made', data: transfer });
  const at = server.clock.now() - (state === 2 ? 100_000 : 0);
  const contract = { no, account, market: state === 2 ? 'XRP' : 'SOL', side: 1, seconds: 300, amount: '10' };
  await apply(server, { type: 'second.opened', at, data: contract });
  if (state === 2) {
    // The first tick comes after the tolerance, so the settlement voids the contract.
    await apply(server, { type: 'tick', data: { market: 'XRP', price: '1', at: server.clock.now() } });
    await settleBinaryContracts(server.app);
  }
  const page = await call<{ list: { id: number }[] }>(server, 'GET', 'second/contract/list', { no }, { token: admin });
  return page.data.list[0]?.id ?? 0;
}

/** Creates a setting of binary contracts for all markets, each with its own duration. */
export async function makeBinaryContractConfig(world: World): Promise<number> {
  const input = {
    marketId: 0,
    seconds: 1_000 + world.next(),
    payoutRate: '80',
    minAmount: '1',
    maxAmount: '0',
    sort: 9,
    state: 1,
  };
  const { data } = await call<{ id: number }>(world.server, 'POST', 'second/config/save', input, {
    token: world.admin,
  });
  return data.id;
}

/** Terms of a signal that users can follow now. */
export const signalTerms = () => ({
  title: '信号',
  marketId: 2,
  side: 1 as const,
  leverage: 5,
  price: '100',
  ratio: '10',
  minAmount: '1',
  maxAmount: '1000',
  // Fixed times, so that two worlds give equal answers.
  startAt: 1,
  endAt: 4_000_000_000_000,
});

/** Creates a signal, which belongs to all operators: a draft (0) or a published one (1). */
export async function makeSignal(world: World, state: 0 | 1 = 0): Promise<{ id: number; no: string }> {
  return (await callOrThrow<{ id: number; no: string }>(world, 'signal/add', { ...signalTerms(), state })).data;
}

/** Creates a following of the place's user and returns its id: active (1) or ended by the user (2). */
export async function makeFollowAt(world: World, place: Place, state: 1 | 2 = 1): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, user, isDeleted } = world.places[place];
  assertNotDeleted({ ...(isDeleted && { isDeleted }) });
  const signal = await makeSignal(world, 1);
  const no = `${canary}-f${world.next()}`;
  const transfer = {
    account: user.account,
    toAccount: user.account,
    market: 'USDT',
    platform: 1,
    toPlatform: 3,
    amount: '5',
  };
  await apply(
    world.server,
    { type: 'transfer.made', data: { no: `${no}-t`, ...transfer } },
    { type: 'follow.opened', data: { no, account: user.account, signal: signal.no, amount: '5' } },
  );
  if (state === 2) await apply(world.server, { type: 'follow.closed', data: { no, profit: '0' } });
  const { server, admin } = world;
  const page = await call<{ list: { id: number }[] }>(server, 'GET', 'follow/list', { no }, { token: admin });
  return page.data.list[0]?.id ?? 0;
}

/**
 * Creates a real position of the place's user and returns its id: pending (0), open (1), closed (2) or cancelled by the
 * user (3).
 */
export async function makePositionAt(
  world: World,
  place: Place,
  state: 0 | 1 | 2 | 3 = 0,
  { market } = { market: 'BTC' },
): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  await makeTransferAt(world, place, place, 3);
  const { canary, user } = world.places[place];
  const no = `${canary}-p${world.next()}`;
  const order = { account: user.account, market, side: 1, type: 1, leverage: 2, price: '0.5', amount: '1' };
  await apply(world.server, { type: 'position.placed', data: { no, demo: 0, ...order, margin: '0.25' } });
  if (state === 3) await apply(world.server, { type: 'position.cancelled', data: { no } });
  if (state === 1 || state === 2)
    await apply(world.server, { type: 'position.opened', data: { no, price: '0.5', fee: '0' } });
  if (state === 2) {
    const close = { no, closeNo: `${no}-c`, amount: '1', price: '0.5', fee: '0', closeType: 1 };
    await apply(world.server, { type: 'position.closed', data: close });
  }
  const [row] = await world.server.query<{ id: number }>(sql`select id from future_order where no = ${no}`);
  return row?.id ?? 0;
}

/** A manual adjustment of one USDT for the place's user, with the place's canary as its reason. */
export const adjustmentOf = (world: World, place: Place) => ({
  userId: userOf(world, place).id,
  marketId: 1,
  platform: 1 as const,
  amount: '1',
  state: 0 as const,
  reason: place === 'absent' ? NOBODY : world.places[place].canary,
});

/** Freezes an amount by hand, so that a call can release it. */
export async function freezeAssetsAt(world: World, place: Place): Promise<void> {
  // The frozen amount of a deleted user was released before the deletion.
  if (place === 'absent' || world.places[place].isDeleted) return;
  await callOrThrow(world, 'asset/frozen/add', adjustmentOf(world, place));
}
/** Creates a private view of the place's own operator and returns its id. */
export async function makeViewAt(world: World, place: Place, view = viewInput(world)): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, agent } = world.places[place];
  assertNotDeleted(world.places[place]);
  const input = { ...view, query: `account=${canary}.u` };
  return (await callOrThrow<{ id: number }>(world, 'view/save', input, agent.token)).data.id;
}

/** Creates a channel of the place's own operator and returns its id. Its target is blocked, so nothing is sent. */
export async function makeChannelAt(world: World, place: Place): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, agent } = world.places[place];
  const { clock, app } = world.server;
  const { newest } = app.secretKeys.keys();
  const secret = encryptSecret(newest, agent.id, JSON.stringify({ address: canary }), 'channel');
  const [row] = await world.server.query<{ id: number }>(sql`
    insert into channel (operator_id, kind, name, secret, key_id, hint, types, enabled, created_at, recorded_at, updated_at)
    values (${agent.id}, 'telegram', left(${canary}, 20), ${secret}, ${newest.id}, ${canary}, '{}', 1, ${clock.now()}, ${clock.now()},
      ${clock.now()}) returning id`);
  return row?.id ?? 0;
}

/** Adds a key of the gateway that is not issued and returns its id. */
export async function makeGatewayKey(world: World): Promise<number> {
  const { server } = world;
  const now = server.clock.now();
  const [row] = await server.query<{ id: number }>(sql`
    insert into gateway_key (key, name, rights, addresses, nonce, by_account, created_at, recorded_at, updated_at)
    values (${`world-${world.next()}`}, 'engine', '{tick,commands}', '{}', 1, 'admin', ${now}, ${now}, ${now}) returning id`);
  return row?.id ?? 0;
}

/** Creates a scheduled export of the place's own operator and returns its id. */
export async function makeScheduleAt(world: World, place: Place): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, agent } = world.places[place];
  const now = world.server.clock.now();
  const [row] = await world.server.query<{ id: number }>(sql`
    insert into schedule (operator_id, name, list, title, query, format, period, day, hour, range, enabled, next_at,
      created_at, recorded_at, updated_at)
    values (${agent.id}, left(${canary}, 20), 'withdraw/list', ${canary}, ${`account=${canary}`}, 'csv', 0, 1, 9, 0, 1,
      ${now + 86_400_000}, ${now}, ${now}, ${now}) returning id`);
  return row?.id ?? 0;
}

/** Opens a conversation with a message of the place's user, optionally closes it, and returns its id. */
export async function makeConversationAt(world: World, place: Place, state: 0 | 1 = 1): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, user, isDeleted } = world.places[place];
  assertNotDeleted({ ...(isDeleted && { isDeleted }) });
  const no = `${canary}-m${world.next()}`;
  await apply(world.server, { type: 'message.received', data: { no, account: user.account, text: `${canary} asks` } });
  const [row] = await world.server.query<{ id: number }>(sql`select id from service where user_id = ${user.id}`);
  const id = row?.id ?? 0;
  if (state === 0) await callOrThrow(world, 'service/close', { id });
  return id;
}

/** Sends an image as the place's user and returns its id. */
export async function makeImageMessageAt(world: World, place: Place): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, user, isDeleted } = world.places[place];
  assertNotDeleted({ ...(isDeleted && { isDeleted }) });
  const no = `${canary}-p${world.next()}`;
  const data = { no, account: user.account, text: '', image: kycSubmission(user.account).front };
  await apply(world.server, { type: 'message.received', data });
  const [row] = await world.server.query<{ id: number }>(sql`select id from service_message where no = ${no}`);
  return row?.id ?? 0;
}

/** Creates a private canned reply of the place's own operator and returns its id. */
export async function makeReplyAt(world: World, place: Place): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, agent } = world.places[place];
  const now = world.server.clock.now();
  const [row] = await world.server.query<{ id: number }>(sql`
    insert into service_reply (operator_id, title, text, shared, created_at, recorded_at, updated_at)
    values (${agent.id}, ${canary}, ${canary}, 0, ${now}, ${now}, ${now}) returning id`);
  return row?.id ?? 0;
}

/** Creates an alarm about the place's withdrawal, optionally closed by the admin, and returns its id. */
export async function makeAlarmAt(world: World, place: Place, state: 0 | 1 = 0): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary, agent, user, rejected } = world.places[place];
  assertNotDeleted(world.places[place]);
  const reference = { refType: 'withdraw', refId: rejected.id, agentId: agent.id, userId: user.id };
  const detail = { txHash: `${canary}-hash-${world.next()}`, amount: '1', market: 'USDT' };
  await inTransaction(world.server.app.system, (db) =>
    raiseAlarm(db, {
      kind: 'withdraw.paidAfterRefund',
      ...reference,
      detail,
      occurrence: { key: detail.txHash, detail },
      now: world.server.clock.now(),
    }),
  );
  const [row] = await world.server.query<{ id: number }>(
    sql`select id from alarm where detail ->> 'txHash' = ${detail.txHash}`,
  );
  const id = row?.id ?? 0;
  if (state === 1) await callOrThrow(world, 'alarm/close', { id, reason: canary });
  return id;
}

/** Creates the only command of a new withdrawal, with unknown outcome (4) or completed (2), and returns its id. */
export async function makeCommandAt(world: World, place: Place, state: 2 | 4 = 4): Promise<number> {
  if (place === 'absent') return ABSENT_ID;
  const { canary } = world.places[place];
  assertNotDeleted(world.places[place]);
  const refId = await makeWithdrawAt(world, place, 0);
  const data = JSON.stringify({ no: `${canary}-c`, state: 5 });
  const [row] = await world.server.query<{ id: number }>(sql`
    insert into command (type, ref_type, ref_id, data, state, attempt, created_at, recorded_at)
    values ('withdraw.reviewed', 'withdraw', ${refId}, ${data}::jsonb, ${state}, 1, 1, 1) returning id`);
  return row?.id ?? 0;
}

/** Input of a view that does not exist yet. */
export const viewInput = (world: World) => ({
  list: 'withdraw/list',
  name: `view ${world.next()}`,
  query: 'state=0',
  shared: 0 as const,
});

/** Creates a market with a grant for the place's operator, optionally halted by the admin. */
export async function makeGrantedMarket(
  world: World,
  place: Place,
  halted?: 'halted',
): Promise<{ id: number; name: string }> {
  if (place === 'absent') return { id: ABSENT_ID, name: NOBODY };
  const { agent, isDeleted } = world.places[place];
  assertNotDeleted({ ...(isDeleted && { isDeleted }) });
  const name = await makeMarket(world.server, { name: `G${world.next()}` });
  const [row] = await world.server.query<{ id: number }>(
    sql`update market set spot = 1 where market_name = ${name} returning id`,
  );
  const id = row?.id ?? 0;
  await callOrThrow(world, 'plan/permission/save', { marketId: id, agent: [agent.account] });
  if (halted) await callOrThrow(world, 'market/plan/halt', { id, marketType: 1, planMinute: 5, reason: 'because' });
  return { id, name };
}

/** Complete settings of a new market, or of one that does not exist. */
export async function makeMarketInput(world: World, absentId?: number) {
  const name = await makeMarket(world.server, { name: `G${world.next()}` });
  const [row] = await world.server.query<{ id: number }>(sql`select id from market where market_name = ${name}`);
  return { ...marketSettings, id: absentId ?? row?.id ?? 0, version: 1, marketName: name };
}

/** The operator of a place. Throws `NoSuchCase` if it is deleted. */
export function operatorAt(world: World, place: Place): { account: string } {
  if (place !== 'absent') assertNotDeleted(world.places[place]);
  return agentOf(world, place);
}

const proofs = new WeakMap<TestServer, Promise<number>>();
/** The single proof of liabilities of this world. It includes the user of every place. */
export async function makeLiabilityProof({ server, admin }: World): Promise<number> {
  const proof = proofs.get(server) ?? makeProof(server, admin);
  proofs.set(server, proof);
  return proof;
}

async function makeProof(server: TestServer, admin: string): Promise<number> {
  const { data, msg } = await call<{ id: number }>(server, 'POST', 'report/liability/make', {}, { token: admin });
  if (!data) throw new Error(`report/liability/make: ${msg}`);
  await makeLiabilities(server.app, new AbortController().signal);
  return data.id;
}
