import { randomUUID } from 'node:crypto';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import type { ConfigRow } from '@hengtai/contract/desk/config/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { makeMarket } from './book.ts';
import { PASSWORD, findUser, makeIeo, makeOperator, makeUser, makeWithdraw, recharge } from './factories.ts';
import { addSignal, findFollow, followSignal, makeFollower, signalInput } from './follow.ts';
import { findPosition, makeFuturesUser, openPosition, placePosition } from './future.ts';
import { submitKyc } from './identity.ts';
import { findBinaryContract, makeContractUser, openContract } from './binary-contract.ts';
import { findSpotOrder, makeTrader, placeOrder } from './spot.ts';
import { ADMIN, type TestServer, apply, call, unique } from './server.ts';

/** Shared data of the cases. Each case creates the record that it changes. */
export interface SpecWorld {
  server: TestServer;
  admin: string;
  agent: { id: number; account: string };
  user: { id: number; account: string };
}

type Fields = Record<string, unknown>;
type FieldsResult = Fields | Promise<Fields>;

/** A call with exactly the fields of the specification. Each use creates new values. */
export interface SpecCase {
  method: 'GET' | 'POST';
  /** As written in section 7 of the specification, including {action}. */
  call: string;
  path: string;
  fields: (world: SpecWorld) => FieldsResult;
  /** 202 if a policy of a new installation requires a checker. */
  code: 200 | 202;
  /** The answer is a file. */
  isFile?: true;
  /** The caller's token if the caller is not the admin. */
  token?: (world: SpecWorld) => Promise<string>;
}

const getCase = (path: string, fields: SpecCase['fields'] = () => ({})): SpecCase => ({
  method: 'GET',
  call: path,
  path,
  fields,
  code: 200,
});
const postCase = (path: string, fields: SpecCase['fields'] = () => ({}), code: 200 | 202 = 200): SpecCase => ({
  method: 'POST',
  call: path,
  path,
  fields,
  code,
});
/** One case for each value of {action}. */
const actionCases = (call: string, fieldsByAction: Readonly<Record<string, SpecCase['fields']>>): SpecCase[] =>
  Object.entries(fieldsByAction).map(([action, fields]) => ({
    ...postCase(call.replace('{action}', action), fields),
    call,
  }));

/** A list with all of its filters, set to "no filter". */
const listCase = (path: string, ...fields: readonly string[]): SpecCase => {
  const values: Fields = { page: 1, size: 10, account: '', agent: '', state: -1, marketName: '', demo: -1, id: '' };
  return getCase(path, () =>
    Object.fromEntries(['page', 'size', ...fields].map((field) => [field, values[field] ?? ''])),
  );
};

const newUser = async ({ server, admin }: SpecWorld): Promise<number> =>
  (await findUser(server, admin, await makeUser(server))).id;
const newAgent = async ({ server, admin }: SpecWorld) => makeOperator(server, admin);
const newUserFields = async (world: SpecWorld): Promise<Fields> => ({ id: await newUser(world) });
/** Creates a user and first calls `path` on it, so that the switch is in the opposite position. */
const afterCall =
  (path: string, fields: SpecCase['fields'] = newUserFields): SpecCase['fields'] =>
  async (world) => {
    const input = await fields(world);
    await postOrThrow(world, path, input);
    return input;
  };

async function postOrThrow<T>({ server, admin }: SpecWorld, path: string, input: object): Promise<T> {
  const response = await call<T>(server, 'POST', path, input, { token: admin });
  if (response.code !== 200) throw new Error(`${path}: ${response.code} ${response.msg}`);
  return response.data;
}

async function fetchRows<T>({ server, admin }: SpecWorld, path: string, input: object = {}): Promise<T[]> {
  const { data } = await call<Page<T>>(server, 'GET', path, input, { token: admin });
  return data.list;
}

async function fetchId(world: SpecWorld, path: string, input: object): Promise<Fields> {
  const [row] = await fetchRows<{ id: number }>(world, path, input);
  if (!row) throw new Error(`${path} has no row`);
  return { id: row.id };
}

const newAdjustment = async (world: SpecWorld): Promise<Fields> => {
  const { server, admin } = world;
  const { id } = await findUser(server, admin, await makeUser(server, { amount: '1000' }));
  return { userId: id, marketId: 1, platform: 1, amount: '12.5', state: 1 };
};
const newWithdraw = async ({ server, admin }: SpecWorld): Promise<Fields> => ({
  id: (await makeWithdraw(server, admin, await makeUser(server, { amount: '1000' }))).id,
});
const newIeo = async ({ server, admin }: SpecWorld): Promise<Fields> => ({
  id: (await makeIeo(server, admin, await makeUser(server, { amount: '1000' }))).id,
});
const newKycSubmission = async ({ server, admin }: SpecWorld): Promise<Fields> => ({
  id: (await submitKyc(server, admin, await makeUser(server))).id,
});
const newEntry = async (world: SpecWorld): Promise<Fields> => {
  const account = await makeUser(world.server, { amount: '5' });
  return fetchId(world, 'fund/record', { account });
};
const newMarket = async (world: SpecWorld): Promise<Fields> => {
  const marketName = await makeMarket(world.server);
  return { ...(await fetchId(world, 'market/list', { marketName })), marketName };
};
const newConfig = async (world: SpecWorld): Promise<Fields> => {
  const seconds = 100 + Math.floor(Math.random() * 80_000);
  const config = { marketId: 0, seconds, payoutRate: '80', minAmount: '1', maxAmount: '0', sort: 0, state: 1 };
  return { id: (await postOrThrow<{ id: number }>(world, 'second/config/save', config)).id };
};
const item = (): Fields => ({ lang: 'zh-CN', content: '<p>公告</p>', platform: 0, title: '公告' });
const newAnnounce = async (world: SpecWorld): Promise<Fields> => {
  const [row] = await postOrThrow<AnnounceRow[]>(world, 'announce/add', { announceList: [item()] });
  return { id: row?.id };
};
/** A complete setting as `config/list` returns it. */
const settingFields =
  (key: string, change: (row: ConfigRow) => Fields): SpecCase['fields'] =>
  async ({ server, admin }) => {
    const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin });
    const row = data.find((one) => one.key === key);
    if (!row) throw new Error(`no setting ${key}`);
    const { id, str, num, state } = row;
    return { id, str, num, state, ...change(row) };
  };

const newPosition = async ({ server, admin }: SpecWorld, isOpen: boolean): Promise<number> => {
  const account = await makeFuturesUser(server);
  const no = isOpen ? await openPosition(server, account) : await placePosition(server, account);
  return (await findPosition(server, admin, no)).id;
};

export const specCases: readonly SpecCase[] = [
  postCase('login', () => ADMIN),
  {
    ...postCase('pwd_update', () => ({ oldPassword: PASSWORD, newPassword: randomUUID() })),
    token: async (world) => (await newAgent(world)).token,
  },
  getCase('state'),

  getCase('agent/list', () => ({ account: '', parentAccount: '', page: 1, size: 10 })),
  postCase('agent/root', ({ agent }) => ({ agentId: [agent.id] })),
  postCase('agent/add', () => ({ account: unique('spec'), password: randomUUID(), parentAccount: '', remark: '' })),
  postCase('agent/pwd_update', async (world) => ({ id: (await newAgent(world)).id, password: randomUUID() })),
  ...actionCases('agent/ieo_review/{action}', {
    open: async (world) => ({ id: (await newAgent(world)).id }),
    close: async (world) => ({ id: (await newAgent(world)).id }),
  }),
  postCase('agent/remark', async (world) => ({ id: (await newAgent(world)).id, remark: '备注' })),
  postCase('agent/parent/change', async (world) => ({ id: (await newAgent(world)).id, parent: world.agent.account })),
  postCase(
    'agent/del',
    async (world) => ({ deleteId: (await newAgent(world)).id, replaceAccount: world.agent.account }),
    202,
  ),
  postCase('agent/state', async (world) => ({ id: (await newAgent(world)).id, type: 1, state: 1 })),

  getCase('user/list', () => ({ account: '', agent: '', page: 1, size: 10, agentRoot: '' })),
  postCase('user/add', ({ agent }) => ({ account: unique('spec'), agent: agent.account, password: randomUUID() })),
  postCase('user/pwd_update', async (world) => ({ id: await newUser(world), password: randomUUID() })),
  ...actionCases('user/state/{action}', { enable: afterCall('user/state/disable'), disable: newUserFields }),
  postCase('user/ieo_buy/state', async (world) => ({ id: await newUser(world), state: 0 })),
  ...actionCases('user/ieo_sell/{action}', { open: afterCall('user/ieo_sell/close'), close: newUserFields }),
  ...actionCases('user/trade/{action}', { open: afterCall('user/trade/close'), close: newUserFields }),
  postCase('user/ai/change', async (world) => ({ userId: await newUser(world), state: 1 })),
  postCase('user/second/change', async (world) => ({ id: await newUser(world), winType: 1, winRate: '85' })),
  postCase('user/token', newUserFields),
  getCase('user/asset', ({ user }) => ({ id: user.id, platform: -1 })),
  ...actionCases('asset/active/{action}', { add: newAdjustment, sub: newAdjustment }),
  ...actionCases('asset/frozen/{action}', { add: newAdjustment, sub: afterCall('asset/frozen/add', newAdjustment) }),
  postCase('user/agent/change', async (world) => ({ userId: await newUser(world), agent: world.agent.account })),
  postCase('user/del', newUserFields),

  listCase('recharge/list', 'id', 'account', 'agent', 'state'),
  { ...postCase('recharge/excel', () => ({ account: '', agent: '' })), isFile: true },
  getCase('recharge/url', async (world) => {
    const no = await recharge(world.server, world.user.account, '1');
    return fetchId(world, 'recharge/list', { no });
  }),
  listCase('withdraw/list', 'id', 'account', 'agent', 'state'),
  postCase('withdraw/reject', newWithdraw),
  postCase('withdraw/pass', newWithdraw),
  { ...postCase('withdraw/excel'), isFile: true },
  listCase('fund/record', 'account', 'agent', 'state'),
  listCase('internalTransfer/list', 'account', 'agent', 'state'),
  ...actionCases('fund/record/state/{action}', {
    check: newEntry,
    doubt: newEntry,
    reset: afterCall('fund/record/state/check', newEntry),
  }),
  listCase('auth/list', 'account', 'state'),
  ...actionCases('auth/review/{action}', { pass: newKycSubmission, reject: newKycSubmission }),

  listCase('market/list', 'id', 'marketName', 'state'),
  postCase('market/save', newMarket),
  postCase('market/detail', () => ({ id: 2 })),
  listCase('market/plan/list', 'id', 'marketType', 'marketName', 'planState'),
  getCase('market/filter', () => ({ page: 1, size: 10 })),
  postCase('plan/permission/detail', () => ({ id: 2 })),
  postCase('plan/permission/save', ({ agent }) => ({ marketId: 2, agent: [agent.account] })),
  postCase('market/plan/save', () => ({
    id: 2,
    marketType: 1,
    maxPrice: '60000',
    minPrice: '40000',
    planState: 0,
    planMinute: 10,
    planPrice: '50000',
  })),

  listCase('trade/order/list', 'id', 'account', 'state'),
  postCase('trade/order/cancel', async ({ server, admin }) => {
    const no = await placeOrder(server, await makeTrader(server, { USDT: '100' }));
    return { id: (await findSpotOrder(server, admin, no)).id };
  }),
  listCase('signal/list'),
  postCase('signal/add', ({ server }) => ({ ...signalInput(server) })),
  postCase('signal/change', async ({ server, admin }) => ({
    id: (await addSignal(server, admin)).id,
    title: '新标题',
  })),
  listCase('follow/list', 'account', 'agent', 'state'),
  postCase('follow/close', async ({ server, admin }) => {
    const no = await followSignal(server, await makeFollower(server), await addSignal(server, admin));
    return { id: (await findFollow(server, admin, no)).id };
  }),

  postCase('future/order/cancel', async (world) => ({ id: await newPosition(world, false) })),
  listCase('future/order/list', 'id', 'account', 'marketName', 'demo', 'state'),
  postCase('future/expect_info', ({ user }) => ({ userId: [user.id] })),
  listCase('future/open/history', 'id', 'account', 'marketName', 'demo', 'state'),
  listCase('future/close/history', 'id', 'account', 'marketName', 'demo', 'state'),
  postCase('future/order/close', async (world) => ({ id: await newPosition(world, true), closeAmount: '2.5' })),

  listCase('second/config/list', 'id'),
  postCase('second/config/save', newConfig),
  postCase('second/config/del', newConfig),
  listCase('second/contract/list', 'account', 'state', 'type'),
  postCase(
    'second/contract/change',
    async ({ server, admin }) => {
      const no = await openContract(server, await makeContractUser(server));
      return { id: (await findBinaryContract(server, admin, no)).id, state: 0, type: 1 };
    },
    202,
  ),

  getCase('ieo/order/list', () => ({ page: 1, size: 10, account: '', state: -1, type: 'history' })),
  postCase('ieo/order/reject', newIeo),
  postCase('ieo/order/pass', newIeo),

  listCase('announce/list'),
  postCase('announce/add', () => ({ announceList: [item()] })),
  postCase('announce/add', item),
  getCase('announce/detail', newAnnounce),
  postCase('announce/save', async (world) => ({ ...(await newAnnounce(world)), ...item() })),
  postCase('announce/save', async (world) => ({ ...(await newAnnounce(world)), announceList: [item()] })),
  postCase('announce/del', newAnnounce),
  getCase('config/list', () => ({ page: 1, size: 10 })),
  postCase(
    'config/save',
    settingFields('withdraw.credentialHours', ({ num }) => ({ num: num === '25' ? '26' : '25' })),
  ),
  postCase(
    'config/save',
    settingFields('kline.url', () => ({ str: 'https://chart.example' })),
  ),
  postCase(
    'config/save',
    settingFields('console.watermark', ({ state }) => ({ state: 1 - state })),
  ),
];

/** Creates a world with one agent and one of its users, and the records that some calls require. */
export async function makeSpecWorld(server: TestServer, admin: string): Promise<SpecWorld> {
  const agent = await makeOperator(server, admin);
  const account = await makeUser(server, { agent: agent.account, amount: '1000' });
  await apply(server, { type: 'tick', data: { market: 'BTC', price: '50000', at: server.clock.now() } });
  await server.query(sql`update config set str = 'https://platform.example' where key = 'support.url'`);
  return { server, admin, agent, user: await findUser(server, admin, account) };
}
