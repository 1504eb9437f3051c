import { randomUUID } from 'node:crypto';
import type { AnnounceRow } from '@hengtai/contract/announce.schema';
import type { ConfigRow } from '@hengtai/contract/config.schema';
import type { Page } from '@hengtai/contract/list';
import { sql } from 'kysely';
import { makeMarket } from './book.ts';
import { PASSWORD, findUser, makeIeo, makeOperator, makeUser, makeWithdraw, recharge } from './factories.ts';
import { addSignal, findFollow, followSignal, makeFollower, signalInput } from './follow.ts';
import { findPosition, makeFuturesUser, openPosition, placePosition } from './future.ts';
import { submitKyc } from './identity.ts';
import { findBinaryContract, makeContractUser, openContract } from './binary-contract.ts';
import { findSpotOrder, makeTrader, place } from './spot.ts';
import { ADMIN, type TestServer, apply, call, unique } from './server.ts';

/** Shared data of the cases. Each case creates the record that it changes. */
export interface SpecWorld {
  server: TestServer;
  admin: string;
  agent: { id: number; account: string };
  user: { id: number; account: string };
}

type Fields = Record<string, unknown>;
type Made = Fields | Promise<Fields>;

/** A call with exactly the fields of the specification. Each use creates new values. */
export interface SpecCase {
  method: 'GET' | 'POST';
  /** As written in section 7 of the specification, including {action}. */
  call: string;
  path: string;
  fields: (world: SpecWorld) => Made;
  /** 202 if a policy of a new installation requires a checker. */
  code: 200 | 202;
  /** The answer is a file. */
  isFile?: true;
  /** The caller's token if the caller is not the admin. */
  token?: (world: SpecWorld) => Promise<string>;
}

const get = (path: string, fields: SpecCase['fields'] = () => ({})): SpecCase => ({
  method: 'GET',
  call: path,
  path,
  fields,
  code: 200,
});
const post = (path: string, fields: SpecCase['fields'] = () => ({}), code: 200 | 202 = 200): SpecCase => ({
  method: 'POST',
  call: path,
  path,
  fields,
  code,
});
/** One case for each value of {action}. */
const actions = (call: string, of: Readonly<Record<string, SpecCase['fields']>>): SpecCase[] =>
  Object.entries(of).map(([action, fields]) => ({ ...post(call.replace('{action}', action), fields), call }));

/** A list with all of its filters, set to "no filter". */
const lists = (path: string, ...fields: readonly string[]): SpecCase => {
  const values: Fields = { page: 1, size: 10, account: '', agent: '', state: -1, marketName: '', demo: -1, id: '' };
  return get(path, () => Object.fromEntries(['page', 'size', ...fields].map((field) => [field, values[field] ?? ''])));
};

const newUser = async ({ server, admin }: SpecWorld): Promise<number> =>
  (await findUser(server, admin, await makeUser(server))).id;
const newAgent = async ({ server, admin }: SpecWorld) => makeOperator(server, admin);
const userId = async (world: SpecWorld): Promise<Fields> => ({ id: await newUser(world) });
/** Creates a user and first calls `path` on it, so that the switch is in the opposite position. */
const after =
  (path: string, fields: SpecCase['fields'] = userId): SpecCase['fields'] =>
  async (world) => {
    const made = await fields(world);
    await must(world, path, made);
    return made;
  };

async function must<T>({ server, admin }: SpecWorld, path: string, input: object): Promise<T> {
  const answer = await call<T>(server, 'POST', path, input, { token: admin });
  if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
  return answer.data;
}

async function rows<T>({ server, admin }: SpecWorld, path: string, input: object = {}): Promise<T[]> {
  const { data } = await call<Page<T>>(server, 'GET', path, input, { token: admin });
  return data.list;
}

async function idOf(world: SpecWorld, path: string, input: object): Promise<Fields> {
  const [row] = await rows<{ id: number }>(world, path, input);
  if (!row) throw new Error(`${path} has no row`);
  return { id: row.id };
}

const adjustment = async (world: SpecWorld): Promise<Fields> => {
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
  return idOf(world, 'fund/record', { account });
};
const newMarket = async (world: SpecWorld): Promise<Fields> => {
  const marketName = await makeMarket(world.server);
  return { ...(await idOf(world, 'market/list', { marketName })), marketName };
};
const newConfig = async (world: SpecWorld): Promise<Fields> => {
  const seconds = 100 + Math.floor(Math.random() * 80_000);
  const set = { marketId: 0, seconds, payoutRate: '80', minAmount: '1', maxAmount: '0', sort: 0, state: 1 };
  return { id: (await must<{ id: number }>(world, 'second/config/save', set)).id };
};
const item = (): Fields => ({ lang: 'zh-CN', content: '<p>公告</p>', platform: 0, title: '公告' });
const newAnnounce = async (world: SpecWorld): Promise<Fields> => {
  const [row] = await must<AnnounceRow[]>(world, 'announce/add', { announceList: [item()] });
  return { id: row?.id };
};
/** A complete setting as `config/list` returns it. */
const setting =
  (key: string, change: (row: ConfigRow) => Fields): SpecCase['fields'] =>
  async ({ server, admin }) => {
    const { data } = await call<ConfigRow[]>(server, 'GET', 'config/list', {}, { token: admin });
    const row = data.find((one) => one.key === key);
    if (!row) throw new Error(`no setting ${key}`);
    const { id, str, num, state } = row;
    return { id, str, num, state, ...change(row) };
  };

const position = async ({ server, admin }: SpecWorld, isOpen: boolean): Promise<number> => {
  const holder = await makeFuturesUser(server);
  const no = isOpen ? await openPosition(server, holder) : await placePosition(server, holder);
  return (await findPosition(server, admin, no)).id;
};

export const specCases: readonly SpecCase[] = [
  post('login', () => ADMIN),
  {
    ...post('pwd_update', () => ({ oldPassword: PASSWORD, newPassword: randomUUID() })),
    token: async (world) => (await newAgent(world)).token,
  },
  get('state'),

  get('agent/list', () => ({ account: '', parentAccount: '', page: 1, size: 10 })),
  post('agent/root', ({ agent }) => ({ agentId: [agent.id] })),
  post('agent/add', () => ({ account: unique('spec'), password: randomUUID(), parentAccount: '', remark: '' })),
  post('agent/pwd_update', async (world) => ({ id: (await newAgent(world)).id, password: randomUUID() })),
  ...actions('agent/ieo_review/{action}', {
    open: async (world) => ({ id: (await newAgent(world)).id }),
    close: async (world) => ({ id: (await newAgent(world)).id }),
  }),
  post('agent/remark', async (world) => ({ id: (await newAgent(world)).id, remark: '备注' })),
  post('agent/parent/change', async (world) => ({ id: (await newAgent(world)).id, parent: world.agent.account })),
  post(
    'agent/del',
    async (world) => ({ deleteId: (await newAgent(world)).id, replaceAccount: world.agent.account }),
    202,
  ),
  post('agent/state', async (world) => ({ id: (await newAgent(world)).id, type: 1, state: 1 })),

  get('user/list', () => ({ account: '', agent: '', page: 1, size: 10, agentRoot: '' })),
  post('user/add', ({ agent }) => ({ account: unique('spec'), agent: agent.account, password: randomUUID() })),
  post('user/pwd_update', async (world) => ({ id: await newUser(world), password: randomUUID() })),
  ...actions('user/state/{action}', { enable: after('user/state/disable'), disable: userId }),
  post('user/ieo_buy/state', async (world) => ({ id: await newUser(world), state: 0 })),
  ...actions('user/ieo_sell/{action}', { open: after('user/ieo_sell/close'), close: userId }),
  ...actions('user/trade/{action}', { open: after('user/trade/close'), close: userId }),
  post('user/ai/change', async (world) => ({ userId: await newUser(world), state: 1 })),
  post('user/second/change', async (world) => ({ id: await newUser(world), winType: 1, winRate: '85' })),
  post('user/token', userId),
  get('user/asset', ({ user }) => ({ id: user.id, platform: -1 })),
  ...actions('asset/active/{action}', { add: adjustment, sub: adjustment }),
  ...actions('asset/frozen/{action}', { add: adjustment, sub: after('asset/frozen/add', adjustment) }),
  post('user/agent/change', async (world) => ({ userId: await newUser(world), agent: world.agent.account })),
  post('user/del', userId),

  lists('recharge/list', 'id', 'account', 'agent', 'state'),
  { ...post('recharge/excel', () => ({ account: '', agent: '' })), isFile: true },
  get('recharge/url', async (world) => {
    const no = await recharge(world.server, world.user.account, '1');
    return idOf(world, 'recharge/list', { no });
  }),
  lists('withdraw/list', 'id', 'account', 'agent', 'state'),
  post('withdraw/reject', newWithdraw),
  post('withdraw/pass', newWithdraw),
  { ...post('withdraw/excel'), isFile: true },
  lists('fund/record', 'account', 'agent', 'state'),
  lists('internalTransfer/list', 'account', 'agent', 'state'),
  ...actions('fund/record/state/{action}', {
    check: newEntry,
    doubt: newEntry,
    reset: after('fund/record/state/check', newEntry),
  }),
  lists('auth/list', 'account', 'state'),
  ...actions('auth/review/{action}', { pass: newKycSubmission, reject: newKycSubmission }),

  lists('market/list', 'marketName', 'state'),
  post('market/save', newMarket),
  post('market/detail', () => ({ id: 2 })),
  get('market/plan/list', () => ({ page: 1, size: 10, marketType: -1, marketName: '' })),
  get('market/filter', () => ({ page: 1, size: 10 })),
  post('plan/permission/detail', () => ({ id: 2 })),
  post('plan/permission/save', ({ agent }) => ({ marketId: 2, agent: [agent.account] })),
  post('market/plan/save', () => ({
    id: 2,
    marketType: 1,
    maxPrice: '60000',
    minPrice: '40000',
    planState: 0,
    planMinute: 10,
    planPrice: '50000',
  })),

  lists('trade/order/list', 'id', 'account', 'state'),
  post('trade/order/cancel', async ({ server, admin }) => {
    const no = await place(server, await makeTrader(server, { USDT: '100' }));
    return { id: (await findSpotOrder(server, admin, no)).id };
  }),
  lists('signal/list'),
  post('signal/add', ({ server }) => ({ ...signalInput(server) })),
  post('signal/change', async ({ server, admin }) => ({ id: (await addSignal(server, admin)).id, title: '新标题' })),
  lists('follow/list', 'account', 'agent', 'state'),
  post('follow/close', async ({ server, admin }) => {
    const no = await followSignal(server, await makeFollower(server), await addSignal(server, admin));
    return { id: (await findFollow(server, admin, no)).id };
  }),

  post('future/order/cancel', async (world) => ({ id: await position(world, false) })),
  lists('future/order/list', 'id', 'account', 'marketName', 'demo', 'state'),
  post('future/expect_info', ({ user }) => ({ userId: [user.id] })),
  lists('future/open/history', 'id', 'account', 'marketName', 'demo', 'state'),
  lists('future/close/history', 'id', 'account', 'marketName', 'demo', 'state'),
  post('future/order/close', async (world) => ({ id: await position(world, true), closeAmount: '2.5' })),

  lists('second/config/list', 'id'),
  post('second/config/save', newConfig),
  post('second/config/del', newConfig),
  lists('second/contract/list', 'account', 'state', 'type'),
  post(
    'second/contract/change',
    async ({ server, admin }) => {
      const no = await openContract(server, await makeContractUser(server));
      // Only this product requires the reason: the specification has no call that voids a contract.
      return { id: (await findBinaryContract(server, admin, no)).id, state: 0, type: 1, reason: '行情异常' };
    },
    202,
  ),

  get('ieo/order/list', () => ({ page: 1, size: 10, account: '', state: -1, type: 'history' })),
  post('ieo/order/reject', newIeo),
  post('ieo/order/pass', newIeo),

  lists('announce/list'),
  post('announce/add', () => ({ announceList: [item()] })),
  post('announce/add', item),
  get('announce/detail', newAnnounce),
  post('announce/save', async (world) => ({ ...(await newAnnounce(world)), ...item() })),
  post('announce/save', async (world) => ({ ...(await newAnnounce(world)), announceList: [item()] })),
  post('announce/del', newAnnounce),
  get('config/list', () => ({ page: 1, size: 10 })),
  post(
    'config/save',
    setting('withdraw.credentialHours', ({ num }) => ({ num: num === '25' ? '26' : '25' })),
  ),
  post(
    'config/save',
    setting('kline.url', () => ({ str: 'https://chart.example' })),
  ),
  post(
    'config/save',
    setting('console.watermark', ({ state }) => ({ state: 1 - state })),
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
