import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { BINARY_CONTRACT_VOID } from '@hengtai/contract/wire/input-values';
import { sql } from 'kysely';
import { tronAddress } from './address.ts';
import { budgetInput, fetchCoin, saveBudget } from './auto-payout.ts';
import { makeContractUser, openContract, findBinaryContract } from './binary-contract.ts';
import { marketSettings } from './book.ts';
import { makeOtpOperator } from './codes.ts';
import { findUser, makeIeo, makeOperator, makeUser, makeWithdraw } from './factories.ts';
import { addSignal, findFollow, followSignal, makeFollower, signalInput } from './follow.ts';
import { type Approvers, callAs, refreshAllOtp } from './four-eyes.ts';
import { findPosition, makeFuturesUser, openPosition, placePosition } from './future.ts';
import { submitKyc } from './identity.ts';
import { UNREACHABLE_PROVIDER } from './oidc.ts';
import { makeRule, ruleInput } from './rules.ts';
import { answer, fetchNameScreening, fetchScreening, setScreening } from './screening.ts';
import { type TestServer, apply, unique } from './server.ts';
import { findSpotOrder, makeTrader, placeOrder } from './spot.ts';
import { reportMove, saveWallet } from './wallet.ts';
import { limitInput, makeGroup, saveLimit } from './withdraw-limits.ts';

/** An input for each action that can need a checker, and the records that they name. */

export interface ApprovalWorld {
  server: TestServer;
  house: Approvers;
  made: Records;
}

type Records = Awaited<ReturnType<typeof makeRecords>>;
type Fields = Record<string, unknown>;

export interface ApprovalCase {
  path: string;
  input: (world: ApprovalWorld) => Fields | Promise<Fields>;
  /** Texts of the detail that show a field in other words than its value. A name stands for an id. */
  shown?: (world: ApprovalWorld, input: Fields) => Readonly<Record<string, string | readonly string[]>>;
  /** Fields of the schema that the input leaves out, and why. */
  without?: Readonly<Record<string, string>>;
  /** Fields of the audit row that the detail has in other words. */
  audited?: readonly string[];
}

const ok = async <T = { id: number }>({ server, house }: Omit<ApprovalWorld, 'made'>, path: string, input: object) => {
  const { code, msg, data } = await callAs<T>(server, house.admin, path, input);
  if (code !== 200) throw new Error(`${path} answered ${code} ${msg}`);
  return data;
};
const idOf = async (server: TestServer, text: ReturnType<typeof sql<{ id: number }>>): Promise<number> =>
  (await server.query(text))[0]?.id ?? 0;
const settingId = (server: TestServer, key: string) =>
  idOf(server, sql<{ id: number }>`select id from config where key = ${key}`);
const seenOf = (server: TestServer, rule: number) =>
  idOf(server, sql<{ id: number }>`select updated_at as id from rule where id = ${rule}`);

async function makeCustomer(server: TestServer, token: string, amount = '500') {
  const account = await makeUser(server, { amount });
  const { id } = await findUser(server, token, account);
  return { id, account, text: `${account}（${id}）` };
}

export const keyTerms = {
  name: 'engine',
  rights: ['tick'],
  addresses: ['10.0.0.0/8'],
  expiresAt: null,
  nonce: 1,
} as const;
const BAND = { id: 2, marketType: 1, minPrice: '90', planPrice: '100', maxPrice: '110', planState: 1, planMinute: 5 };
const BIG = { USDT: '100000' };
const link = (host: string) => `<p><a href="https://${host}.example/">x</a></p>`;
const announcement = { lang: 'zh-CN', title: '公告', content: '<p>x</p>', platform: 0 };

/** A deposit that no record explains. */
async function makeWalletItem(server: TestServer): Promise<{ id: number; move: string }> {
  const move = await reportMove(server, await saveWallet(server), { kind: 'deposit', amount: '12' });
  const id = await idOf(
    server,
    sql<{ id: number }>`
      insert into wallet_item (kind, why, state, platform_id, market_id, network, amount, move_id, created_at)
      select 'move', 'noRecord', 0, m.platform_id, w.market_id, w.network, m.amount, m.id, m.created_at
      from chain_move m join wallet w on w.id = m.wallet_id where m.no = ${move} returning id`,
  );
  return { id, move };
}

/** Makes the records while four-eyes are open and no policy asks for a checker. */
export async function makeRecords(server: TestServer, house: Approvers) {
  const at = { server, house };
  const { token } = house.admin;
  await server.query(sql`update config set state = 0 where key like 'policy.%'`);
  server.app.oidc = UNREACHABLE_PROVIDER;
  const holderOf = () => makeOperator(server, token, { abilities: [ABILITY.withdraw] });
  const withdrawIn = async (...types: string[]) => {
    const row = await makeWithdraw(server, token, (await makeCustomer(server, token)).account);
    if (types.length > 0) await ok(at, 'withdraw/pass', { id: row.id });
    for (const type of types) await apply(server, { type, data: { no: row.no } });
    return row;
  };
  const [group, removed, emptyGroup, assigned] = [
    await makeGroup(server, token),
    await makeGroup(server, token),
    await makeGroup(server, token, false),
    await makeGroup(server, token),
  ];
  for (const { id } of [group, removed, emptyGroup, assigned])
    await saveLimit(server, token, 'USDT', { groupId: id }, { singleMax: '1000' });
  await saveLimit(server, token, 'USDT', { level: 0 }, { singleMax: '500' });
  const member = await makeCustomer(server, token);
  const market = await ok(at, 'market/save', { ...marketSettings, marketName: unique('MK') });
  const limit = await settingId(server, 'branchLimit.asset.active');
  for (const num of ['7000', '0']) await callAs(server, house.admin, 'config/save', { id: limit, num });
  const history = await idOf(
    server,
    sql<{ id: number }>`select id from config_history where config_id = ${limit} order by id desc limit 1`,
  );
  await callAs(server, house.admin, 'config/save', { id: limit, num: '5000' });
  await ok(at, 'market/plan/save', BAND);
  for (const id of [1, 2]) await saveBudget(server, token, { largestBasic: '10' }, id);
  await server.query(sql`
    update auto_coin set stopped_at = 1, stopped_why = 'operator', stopped_by = 1 where market_id = 1`);
  const file = { list: 3, fileName: 'list.txt', source: '官方', publishedAt: 1, content: 'T-other' };
  await server.query(sql`
    insert into address_entry (list, network, address, address_key, reason, source, by_account, created_at)
    values (3, '', 'T-listed', 'T-listed', '', 'list', 'admin', 1)`);
  const follower = await makeFollower(server);
  const signal = await addSignal(server, token, { leverage: 10, state: 0 });
  const frozen = await makeCustomer(server, token);
  const money = { userId: frozen.id, marketId: 1, platform: 1, amount: '20', state: 0, reason: '冻结' };
  await ok(at, 'asset/frozen/add', money);
  await ok(at, 'house/transfer', {
    marketId: 1,
    from: 'custody',
    to: 'capital',
    amount: '900',
    txHash: '0xfe',
    reason: '注资',
  });
  const own = { market: 'USDT', network: 'TRC20', address: tronAddress('own'), state: 1 };
  await apply(
    server,
    { type: 'wallet.saved', data: { ...own, wallet: 'own-hot', name: '热钱包一号', kind: 'hot' } },
    { type: 'wallet.saved', data: { ...own, wallet: 'own-cold', kind: 'cold' } },
    { type: 'wallet.balance', data: { wallet: 'own-hot', amount: '80' } },
  );
  const walletId = (no: string) => idOf(server, sql<{ id: number }>`select id from wallet where no = ${no}`);
  const heldNo = unique('R');
  const recharged = await makeCustomer(server, token);
  await apply(server, {
    type: 'recharge.credited',
    data: {
      no: heldNo,
      account: recharged.account,
      market: 'USDT',
      network: 'TON',
      address: 'T-in',
      amount: '60',
      confirmations: 1,
      source: 1,
    },
  });
  return {
    agent: await makeOperator(server, token),
    parent: await makeOperator(server, token),
    holder: await makeOtpOperator(server, token, { abilities: [ABILITY.withdraw] }),
    moved: await holderOf(),
    reset: await holderOf(),
    linked: await holderOf(),
    deleted: await makeOperator(server, token),
    user: await makeCustomer(server, token),
    frozen,
    member,
    waiting: await withdrawIn(),
    failed: await withdrawIn('withdraw.failed'),
    refunded: await withdrawIn('withdraw.failed'),
    unknown: await withdrawIn('withdraw.unknown'),
    order: await findSpotOrder(server, token, await placeOrder(server, await makeTrader(server, BIG))),
    pending: await findPosition(server, token, await placePosition(server, await makeFuturesUser(server))),
    position: await findPosition(server, token, await openPosition(server, await makeFuturesUser(server))),
    contract: await findBinaryContract(server, token, await openContract(server, await makeContractUser(server))),
    follow: await findFollow(server, token, await followSignal(server, follower, await addSignal(server, token))),
    subscription: await makeIeo(server, token, (await makeCustomer(server, token)).account),
    heldNo,
    wallets: { hot: await walletId('own-hot'), cold: await walletId('own-cold') },
    walletItem: await makeWalletItem(server),
    recharge: await idOf(server, sql<{ id: number }>`select id from recharge where no = ${heldNo}`),
    kyc: await submitKyc(server, token, await makeUser(server), { level: 1 }),
    screenedKyc: await submitKyc(server, token, await makeUser(server), { level: 1 }),
    signal,
    announce: (await ok<AnnounceRow[]>(at, 'announce/add', announcement))[0]?.id ?? 0,
    market,
    group,
    emptyGroup,
    removed,
    assigned,
    rule: await makeRule(server, token, {}, 1),
    effective: await makeRule(server, token, {}),
    key: await ok(at, 'gateway_key/save', keyTerms),
    platform: await ok<{ id: number }>(at, 'gateway_key/platform_save', { name: 'other', markets: ['BTC'] }),
    entry: (await ok(at, 'address_list/add', { list: 1, address: 'T-blocked', reason: '欺诈' })).id,
    file: (await ok<{ row: { id: number } }>(at, 'address_list/upload', file)).row.id,
    history,
  };
}

const adjustment = (path: string, words: string, user: 'user' | 'frozen' = 'user'): ApprovalCase => ({
  path: `asset/${path}`,
  input: ({ made }) => ({ userId: made[user].id, marketId: 1, platform: 1, amount: '12.5', state: 1, reason: '更正' }),
  shown: ({ made }) => ({
    userId: made[user].text,
    marketId: 'USDT',
    platform: '资金账户',
    amount: '12.5',
    // Frozen money is in no report.
    state: path.startsWith('active') ? '计入充提报表' : words,
  }),
});
const onWithdraw = (action: string, row: 'waiting' | 'failed' | 'refunded'): ApprovalCase => ({
  path: `withdraw/${action}`,
  input: ({ made }) => ({ id: made[row].id, ...(action === 'refund' && { reason: '退' }) }),
  shown: ({ made }) => ({ id: [`#${made[row].id}`, made[row].no, made[row].address] }),
});
const withNo = (path: string, record: 'order' | 'pending' | 'position' | 'contract' | 'follow' | 'subscription') => ({
  path,
  input: ({ made }: ApprovalWorld) => ({ id: made[record].id }),
  shown: ({ made }: ApprovalWorld) => ({ id: [`#${made[record].id}`, made[record].no] }),
});
const onAgent = (
  path: string,
  record: 'holder' | 'moved' | 'reset' | 'linked' | 'parent',
  fields: (world: ApprovalWorld) => Fields = () => ({}),
  shown: (world: ApprovalWorld) => Readonly<Record<string, string>> = () => ({}),
): ApprovalCase => ({
  path,
  input: (world) => ({ id: world.made[record].id, ...fields(world) }),
  shown: (world) => ({ id: `${world.made[record].account}（${world.made[record].id}）`, ...shown(world) }),
});
const onUser = (path: string, fields: Fields = {}): ApprovalCase => ({
  path,
  input: ({ made }) => ({ id: made.user.id, ...fields }),
  shown: ({ made }) => ({ id: made.user.text }),
});

const mapTexts = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]));
const ONLY_READ = 'may be sent as it was read, but not changed';
const signalShown = (
  _world: ApprovalWorld,
  { leverage, price, takeProfit, stopLoss, ratio, minAmount, maxAmount }: Fields,
) => ({
  ...mapTexts({ price, takeProfit, stopLoss, ratio, minAmount, maxAmount }),
  marketId: 'BTC',
  side: '做多',
  leverage: `${String(leverage)} 倍`,
  state: '进行中',
});

export const approvalCases: Readonly<Record<string, ApprovalCase>> = {
  'withdraw.pass': onWithdraw('pass', 'waiting'),
  'withdraw.retry': onWithdraw('retry', 'failed'),
  'withdraw.refund': onWithdraw('refund', 'refunded'),
  'withdraw.resolve': {
    path: 'withdraw/resolve',
    input: ({ made }) => ({ id: made.unknown.id, paid: true, txHash: '0xab', reason: '已查' }),
    shown: ({ made }) => ({ id: [`#${made.unknown.id}`, made.unknown.no], paid: '已打款' }),
  },
  'asset.active.add': adjustment('active/add', '增加可用资产'),
  'asset.active.sub': adjustment('active/sub', '扣减可用资产'),
  'asset.frozen.add': adjustment('frozen/add', '冻结资产'),
  'asset.frozen.sub': adjustment('frozen/sub', '解冻资产', 'frozen'),
  'recharge.release': {
    path: 'recharge/release',
    input: ({ made }) => ({ id: made.recharge }),
    shown: ({ made }) => ({ id: [`#${made.recharge}`, made.heldNo] }),
  },
  'house.transfer': {
    path: 'house/transfer',
    input: () => ({ marketId: 1, from: 'capital', to: 'custody', amount: '9.5', txHash: '0xcd', reason: '出金' }),
    shown: () => ({ marketId: 'USDT', from: '自有资金', to: '托管' }),
  },
  'walletTransfer.request': {
    path: 'wallet/transfer',
    input: ({ made }) => ({ fromId: made.wallets.hot, toId: made.wallets.cold, amount: '7.5', reason: '归集' }),
    shown: () => ({ fromId: '热钱包一号', toId: 'own-cold' }),
  },
  'walletItem.explain': {
    path: 'wallet/item/explain',
    input: ({ made }) => ({ id: made.walletItem.id, own: true, reason: '注资' }),
    shown: ({ made }) => ({ id: [`#${made.walletItem.id}`, made.walletItem.move], own: '是' }),
  },
  'trade.cancel': withNo('trade/order/cancel', 'order'),
  'trade.cancelAll': {
    path: 'trade/order/cancel/all',
    input: () => ({ marketId: 2, reason: '停市' }),
    shown: () => ({ marketId: 'BTC' }),
  },
  'future.cancel': withNo('future/order/cancel', 'pending'),
  'future.cancelAll': {
    path: 'future/cancel/all',
    input: () => ({ marketId: 2, reason: '停市' }),
    shown: () => ({ marketId: 'BTC' }),
  },
  'future.close': {
    ...withNo('future/order/close', 'position'),
    input: ({ made }) => ({ id: made.position.id, closeAmount: '2.5' }),
    shown: ({ made }) => ({ id: [`#${made.position.id}`, made.position.no], closeAmount: '2.5' }),
  },
  'follow.close': withNo('follow/close', 'follow'),
  'second.void': {
    ...withNo('second/contract/change', 'contract'),
    input: ({ made }) => ({
      id: made.contract.id,
      state: BINARY_CONTRACT.open,
      type: BINARY_CONTRACT_VOID,
      reason: '行情异常',
    }),
    shown: ({ made }) => ({ id: [`#${made.contract.id}`, made.contract.no], state: '进行中', type: '作废并全额退款' }),
  },
  'ieo.pass': withNo('ieo/order/pass', 'subscription'),
  'auth.pass': {
    path: 'auth/review/pass',
    input: ({ made }) => ({ id: made.kyc.id }),
    shown: ({ made }) => ({ id: made.kyc.account }),
  },
  'screening.bypassWithdraw': {
    path: 'screening/withdraw/bypass',
    input: async ({ server, house, made }) => {
      const { token } = house.admin;
      await setScreening(server, { address: 1 });
      const row = await makeWithdraw(server, token, made.user.account);
      await answer(server, await fetchScreening(server, token, row.id), { result: 'hit' });
      return { id: row.id, seen: (await fetchScreening(server, token, row.id)).seen, reason: '已核实' };
    },
    shown: () => ({ id: 'TRC20' }),
  },
  'screening.bypassAuth': {
    path: 'screening/auth/bypass',
    input: async ({ server, house }) => {
      const { token } = house.admin;
      await setScreening(server, { name: 1 });
      const { id } = await submitKyc(server, token, await makeUser(server), { level: 1 });
      await answer(server, await fetchNameScreening(server, token, id), { result: 'hit' });
      return { id, seen: (await fetchNameScreening(server, token, id)).seen, reason: '已核实' };
    },
    shown: () => ({ id: '命中' }),
  },
  'user.second': {
    path: 'user/second/change',
    input: ({ made }) => ({ id: made.user.id, winType: 1, winRate: '85' }),
    shown: ({ made }) => ({ id: made.user.text, winType: '专属收益率 85%', winRate: '专属收益率 85%' }),
  },
  'user.token': onUser('user/token'),
  'user.pwdUpdate': onUser('user/pwd_update', { password: 'a-Secret-word-of-the-user' }),
  'agent.pwdUpdate': onAgent('agent/pwd_update', 'reset', () => ({ password: 'a-Secret-word-of-the-agent' })),
  'agent.otpReset': onAgent('agent/otp/reset', 'holder', () => ({ reason: '手机遗失' })),
  'agent.oidcLink': onAgent(
    'agent/oidc/link',
    'linked',
    () => ({ subject: 'person-1' }),
    () => ({ subject: '关联企业账号：person-1' }),
  ),
  'agent.parentChange': onAgent(
    'agent/parent/change',
    'moved',
    ({ made }) => ({ parent: made.parent.account }),
    ({ made }) => ({ parent: `更换上级为 ${made.parent.account}` }),
  ),
  'agent.del': {
    path: 'agent/del',
    input: ({ made }) => ({ deleteId: made.deleted.id, replaceAccount: made.agent.account }),
    shown: ({ made }) => ({
      deleteId: `${made.deleted.account}（${made.deleted.id}）`,
      replaceAccount: `${made.agent.account}（${made.agent.id}）`,
    }),
  },
  'agent.state': {
    path: 'agent/state',
    input: ({ made }) => ({ id: made.agent.id, type: 2, state: 1 }),
    shown: ({ made }) => ({ id: `代理 ${made.agent.account}（${made.agent.id}）`, type: '资产调整', state: '有' }),
    audited: ['abilities', 'reached'],
  },
  'approval.lock': {
    path: 'approval/lock',
    input: () => ({ exceptions: ['user.second'] }),
    shown: () => ({ exceptions: '（例外，须签署）' }),
  },
  'approval.known': onAgent('approval/known', 'parent'),
  'announce.add': {
    path: 'announce/add',
    input: ({ server }) => ({
      announceList: [
        {
          ...announcement,
          lang: 'en',
          title: 'Title',
          content: link('one'),
          platform: 1,
          state: 0,
          pinned: 1,
          publishAt: server.clock.now() + 3_600_000,
        },
      ],
    }),
    shown: () => ({ lang: 'English', platform: '网页', state: '草稿', pinned: '是', content: 'https://one.example/' }),
    without: { group: 'adds a language to another announcement' },
  },
  'announce.save': {
    path: 'announce/save',
    input: ({ made }) => ({
      id: made.announce,
      lang: 'en',
      title: 'Changed',
      content: link('two'),
      platform: 1,
      state: 1,
      pinned: 1,
    }),
    shown: () => ({
      id: '公告',
      lang: 'English',
      platform: '网页',
      state: '发布',
      pinned: '是',
      content: 'https://two.example/',
    }),
    without: { announceList: 'the same fields in another form', publishAt: 'of drafts, as in announce.add' },
  },
  'signal.add': {
    path: 'signal/add',
    input: ({ server }) => ({ ...signalInput(server, { leverage: 50 }), state: 1 }),
    shown: signalShown,
  },
  'signal.change': {
    path: 'signal/change',
    input: ({ server, made }) => {
      const { title: _title, ...terms } = signalInput(server, {
        leverage: 60,
        price: '51000',
        takeProfit: '56000',
        stopLoss: '47000',
        ratio: '12.5',
        minAmount: '11',
        maxAmount: '1100',
      });
      return { id: made.signal.id, title: '新标题', ...terms, state: 1 };
    },
    shown: (world, input) => ({ ...signalShown(world, input), id: '新标题' }),
  },
  'config.save': {
    path: 'config/save',
    input: async ({ server }) => ({ id: await settingId(server, 'policy.withdraw.pass'), state: 2, num: '777' }),
    shown: () => ({ id: '复核策略 · 通过提现', state: '超过金额(USDT)', num: '777' }),
    without: { str: 'a setting has the parts of its kind, and a policy has no text' },
  },
  'config.restore': {
    path: 'config/restore',
    input: async ({ server, made }) => ({
      id: await settingId(server, 'branchLimit.asset.active'),
      historyId: made.history,
      value: 'after',
      reason: '恢复',
    }),
    shown: () => ({ id: '分支 24 小时限额', historyId: '0', value: '0' }),
    audited: ['historyId'],
  },
  'market.save': {
    path: 'market/save',
    input: ({ made }) => ({
      ...marketSettings,
      id: made.market.id,
      icon: `data:image/png;base64,${Buffer.from('another icon').toString('base64')}`,
      spot: 0,
      future: 1,
      second: 1,
      ieo: 1,
      pricePrecision: 3,
      amountPrecision: 6,
      minAmount: '2',
      maxAmount: '3000',
      makerFee: '0.002',
      takerFee: '0.003',
      maxLeverage: 9,
      maintenanceRate: '0.006',
      withdrawFee: '4',
      withdrawMin: '5',
      withdrawMax: '6000',
      rechargeState: 0,
      withdrawState: 0,
      networks: [
        {
          network: 'TRC20',
          recharge: 1,
          withdraw: 0,
          fee: '7',
          explorer: 'https://scan.example/tx/{tx}',
          family: 'tron',
          payingMinutes: 45,
          matchMinutes: 50,
        },
      ],
      sort: 8,
      state: 2,
    }),
    shown: () => ({
      icon: '图片（38 字符）',
      makerFee: '0.2%',
      takerFee: '0.3%',
      maintenanceRate: '0.6%',
      state: '暂停',
      family: '波场',
      recharge: '开',
      withdraw: '关',
      spot: '关',
      future: '开',
      second: '开',
      ieo: '开',
      rechargeState: '关',
      withdrawState: '关',
      id: '市场 MK',
    }),
    without: {
      base: ONLY_READ,
      quote: ONLY_READ,
      managed: ONLY_READ,
      marketName: ONLY_READ,
      unconfirmed: 'only the platform adds networks to confirm',
    },
  },
  'plan.save': {
    path: 'market/plan/save',
    input: () => ({ ...BAND, minPrice: '80', planPrice: '105', maxPrice: '500', planMinute: 7, planState: 0 }),
    shown: () => ({ id: 'BTC（现货）', marketType: 'BTC（现货）', planState: '关闭' }),
  },
  'plan.permit': {
    path: 'plan/permission/save',
    input: ({ made }) => ({ marketId: 3, agent: [made.agent.account, made.parent.account] }),
    shown: ({ made }) => ({ marketId: 'ETH', agent: [made.agent.account, made.parent.account] }),
    audited: ['agents'],
  },
  'second.configSave': {
    path: 'second/config/save',
    input: () => ({
      id: 1,
      marketId: 2,
      seconds: 45,
      payoutRate: '99',
      minAmount: '12',
      maxAmount: '345',
      sort: 6,
      state: 1,
    }),
    shown: () => ({ id: '秒合约设置', marketId: 'BTC', state: '启用' }),
    audited: ['marketName'],
  },
  'second.configDel': {
    path: 'second/config/del',
    input: () => ({ id: 2 }),
    shown: () => ({ id: '秒合约设置' }),
    audited: ['marketName'],
  },
  'gatewayKey.save': {
    path: 'gateway_key/save',
    input: ({ server, made }) => ({
      id: made.key.id,
      platformId: 1,
      name: 'engine-2',
      rights: ['tick', 'withdraw'],
      addresses: ['10.1.0.0/16', '192.0.2.1/32'],
      expiresAt: server.clock.now() + 86_400_000,
      nonce: 0,
    }),
    shown: () => ({
      id: '网关密钥 engine',
      platformId: '市场：全部',
      rights: '行情、提现',
      addresses: '10.1.0.0/16, 192.0.2.1/32',
      nonce: '不要求',
    }),
  },
  'gatewayKey.platformSave': {
    path: 'gateway_key/platform_save',
    input: ({ made }) => ({ id: made.platform.id, name: 'other-2', markets: ['BTC', 'ETH'] }),
    shown: () => ({ id: '平台 other', markets: 'BTC、ETH' }),
  },
  'addressList.add': {
    path: 'address_list/add',
    input: ({ server }) => ({
      list: 2,
      address: 'T-allowed',
      network: 'TRC20',
      memo: '12345',
      expiresAt: server.clock.now() + 9_000_000,
      reason: '自有',
    }),
    shown: () => ({ list: '白名单', memo: '12345' }),
    without: { anyMemo: 'excludes a memo' },
    audited: ['addressList'],
  },
  'addressList.remove': {
    path: 'address_list/remove',
    input: ({ made }) => ({ id: made.entry, reason: '误报' }),
    shown: () => ({ id: '黑名单 T-blocked' }),
    audited: ['addressList'],
  },
  'addressList.apply': {
    path: 'address_list/apply',
    input: ({ made }) => ({ id: made.file, added: 1, removed: 1 }),
    shown: () => ({ id: '文件 list.txt', added: '1 个', removed: ['1 个', '制裁名单 T-listed'] }),
    audited: ['addressList', 'source', 'removed'],
  },
  'autoPayout.save': {
    path: 'withdraw/auto/save',
    input: async ({ server, house }) => {
      await refreshAllOtp(server);
      return {
        ...(await budgetInput(
          server,
          house.admin.token,
          {
            on: true,
            dayAmount: '9001',
            dayCount: 92,
            userDayAmount: '9003',
            largestUnverified: '94',
            largestBasic: '95',
            largestAdvanced: '96',
            firstByHand: true,
            reviewPercent: 7,
          },
          2,
        )),
      };
    },
    shown: () => ({ marketId: '自动打款 BTC', on: '开启', firstByHand: '人工审核', reviewPercent: '7' }),
    without: { causes: 'only where a coin was off' },
    audited: ['marketName'],
  },
  'autoPayout.start': {
    path: 'withdraw/auto/start',
    input: async ({ server, house }) => ({
      marketId: 1,
      causes: (await fetchCoin(server, house.admin.token))?.causes?.map(({ id }) => id),
      seen: await idOf(server, sql<{ id: number }>`select updated_at as id from auto_coin where market_id = 1`),
      reason: '继续',
    }),
    shown: ({ made }) => ({ marketId: '自动打款 USDT', causes: `打款失败（提现 #${made.failed.id}）` }),
    audited: ['marketName'],
  },
  'rule.save': {
    path: 'rule/save',
    input: async ({ server, made }) => ({
      ...ruleInput({
        name: '大额提现',
        conditions: [
          { fact: 'amount', op: 'gt', value: '4321' },
          { fact: 'agent', op: 'in', value: [String(made.agent.id)] },
        ],
        actions: { points: 33, hold: true },
        unknownHits: true,
      }),
      id: made.effective.id,
      seen: await seenOf(server, made.effective.id),
    }),
    shown: ({ made }) => ({
      id: `规则 ${made.effective.name}`,
      fact: ['数量 大于 4,321', '所属代理'],
      op: ['数量 大于 4,321', '所属代理'],
      value: ['数量 大于 4,321', made.agent.account],
      actions: '记 33 分、拦截',
      points: '记 33 分、拦截',
      hold: '记 33 分、拦截',
      people: '记 33 分、拦截',
      manual: '记 33 分、拦截',
      openCase: '记 33 分、拦截',
      stopCoin: '记 33 分、拦截',
    }),
    audited: ['rule', 'version'],
  },
  'rule.state': {
    path: 'rule/state',
    input: async ({ server, made }) => ({ id: made.rule.id, state: 2, seen: await seenOf(server, made.rule.id) }),
    shown: ({ made }) => ({ id: `规则 ${made.rule.name}`, state: '生效' }),
  },
  'withdrawLimit.save': {
    path: 'withdraw/limit/save',
    input: async ({ server, made }) => ({
      ...(await limitInput(
        server,
        'USDT',
        { groupId: made.group.id },
        {
          withdrawState: 1,
          singleMin: '3',
          singleMax: '2001',
          dayAmount: '3002',
          dayCount: 44,
          feeFixed: '1.5',
          feeRate: '0.01',
        },
      )),
    }),
    shown: ({ made }) => ({ marketId: 'USDT', groupId: made.group.name, withdrawState: '允许提现' }),
    without: { level: 'excludes a group' },
    audited: ['userGroup', 'marketName', 'version'],
  },
  'withdrawLimit.groupSave': {
    path: 'user/group/save',
    input: ({ made }) => ({ id: made.emptyGroup.id, name: unique('renamed'), forAgents: true }),
    shown: ({ made }) => ({ id: `用户组 ${made.emptyGroup.name}` }),
  },
  'withdrawLimit.groupDelete': {
    path: 'user/group/delete',
    input: ({ made }) => ({ id: made.removed.id }),
    shown: ({ made }) => ({ id: [`用户组 ${made.removed.name}`, '单笔最大 1000'] }),
  },
  'withdrawLimit.assign': {
    path: 'user/group/assign',
    input: ({ made }) => ({ id: made.member.id, groupId: made.assigned.id }),
    shown: ({ made }) => ({ id: made.member.text, groupId: made.assigned.name }),
  },
};
