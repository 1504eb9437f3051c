import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { WALLET_TRANSFER } from '@hengtai/contract/funds/wallet-transfer/facts';
import type {
  WalletTransferPreview,
  WalletTransferRequest,
  WalletTransferRow,
} from '@hengtai/contract/funds/wallet-transfer/schema';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { COMMAND, type CommandType, UNKNOWN_AFTER_MS } from '@hengtai/contract/gateway/gateway';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, tronAddress } from '../../../../test/address.ts';
import { finishAll, lease, post, pull } from '../../../../test/commands.ts';
import { type TestOperator, makeOperator } from '../../../../test/factories.ts';
import { type ProgramKey, callAs, makeKey } from '../../../../test/gateway-key.ts';
import { fetchAuditRows, runWhileLocked, setPolicy, waitUntilBlocked } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, send, unique } from '../../../../test/server.ts';
import { timeOutCommands } from '../../../gateway/publisher.ts';
import { platform } from '../../../modules.ts';

const server = provideServer({ jobs: false });
const { queued, moving, done, failed, unknown, cancelled } = WALLET_TRANSFER;
let admin: string;
let checker: TestOperator;

beforeAll(async () => {
  admin = await login(server);
  const abilities = [ABILITY.assets, ABILITY.approval, ABILITY.headquarters];
  checker = await makeOperator(server, admin, { abilities });
});
beforeEach(async () => {
  await finishAll(server);
  await setPolicy(server, 'walletTransfer.request', 0);
});

interface Wallet {
  id: number;
  no: string;
}

const walletId = async (no: string): Promise<number> =>
  (await server.query(sql<{ id: number }>`select id from wallet where no = ${no}`))[0]?.id ?? 0;

async function makeWallet(balance?: string, more: object = {}): Promise<Wallet> {
  const no = unique('wallet-');
  const place = { market: 'USDT', network: 'TRC20', address: tronAddress(no), state: 1 };
  await apply(server, { type: 'wallet.saved', data: { wallet: no, kind: 'hot', ...place, ...more } });
  if (balance !== undefined) await apply(server, { type: 'wallet.balance', data: { wallet: no, amount: balance } });
  return { id: await walletId(no), no };
}

const act = <T = WalletTransferRow>(path: string, input: object, token = admin) =>
  call<T>(server, 'POST', `wallet/transfer${path}`, input, { token });
const request = <T = WalletTransferRow>(input: Partial<WalletTransferRequest>, token = admin) =>
  act<T>('', { amount: '10', reason: '归集', ...input }, token);

interface Ordered {
  id: number;
  no: string;
  from: Wallet;
  to: Wallet;
}

/** An ordered transfer of 10 between two wallets of its own. */
async function order(balance = '100'): Promise<Ordered> {
  const [from, to] = [await makeWallet(balance), await makeWallet(undefined, { kind: 'cold' })];
  const { code, msg, data } = await request({ fromId: from.id, toId: to.id });
  if (code !== 200) throw new Error(`wallet/transfer: ${code} ${msg}`);
  return { id: data.id, no: data.no, from, to };
}

const listed = async (input: object): Promise<WalletTransferRow[]> =>
  (await fetchData<Page<WalletTransferRow>>(server, admin, 'wallet/transfer/list', input)).list;
async function find({ id }: { id: number }): Promise<WalletTransferRow> {
  const [row] = await listed({ id });
  if (!row) throw new Error(`no transfer ${id}`);
  return row;
}
const stateOf = async (transfer: { id: number }): Promise<number> => (await find(transfer)).state;

const commandsOf = ({ id }: { id: number }) =>
  server.query(sql<{ id: number; state: number; platform: number | null; type: CommandType }>`
    select id, state, platform_id as platform, type from command
    where ref_type = 'walletTransfer' and ref_id = ${id} order by id`);
const commandState = async (transfer: { id: number }) => (await commandsOf(transfer)).map(({ state }) => state);
const ack = async (transfer: { id: number }, state: string, reason = '') => {
  const [command] = await commandsOf(transfer);
  return post(server, 'ack', [{ id: command?.id, state, reason }]);
};
const timeOut = async (): Promise<void> => {
  server.clock.move(UNKNOWN_AFTER_MS);
  await timeOutCommands(server.app, platform.answers);
};

/** One half of a transfer on the chain, as an event. */
const half = ({ from, to, no }: Ordered, side: 'out' | 'in', more: object = {}) => ({
  type: 'chain.moved',
  data: {
    no: unique('move-'),
    wallet: side === 'out' ? from.no : to.no,
    kind: 'move',
    amount: side === 'out' ? '-10' : '10',
    txHash: unique('0xmove'),
    record: no,
    ...more,
  },
});
/** A half that does not name its transfer. */
const unnamed = { record: undefined };

describe('wallet/transfer', () => {
  test('orders a command that names two wallets, for their platform only', async () => {
    const transfer = await order();
    expect(await find(transfer)).toMatchObject({
      no: `T${transfer.id}`,
      state: queued,
      platformId: 1,
      marketName: 'USDT',
      network: 'TRC20',
      amount: '10',
      fromId: transfer.from.id,
      fromWallet: transfer.from.no,
      fromKind: 'hot',
      toId: transfer.to.id,
      toKind: 'cold',
      outHash: null,
      inHash: null,
      reason: '归集',
      answer: '',
      by: 'admin',
      secondBy: null,
      resolvedBy: null,
    });
    const [command] = (await pull(server)).filter(({ type }) => type === 'wallet.move.requested');
    expect(command?.data).toEqual({
      no: transfer.no,
      from: transfer.from.no,
      to: transfer.to.no,
      amount: '10',
    });
    expect(await commandsOf(transfer)).toMatchObject([{ state: COMMAND.sent, platform: 1 }]);
    const audit = await fetchAuditRows(server, { targetType: 'walletTransfer', targetId: transfer.id });
    expect(audit).toMatchObject([
      { action: 'walletTransfer.request', result: 200, after: { state: queued, amount: '10' }, reason: '归集' },
    ]);
  });

  test('posts nothing', async () => {
    const count = () => server.query(sql`select count(*) as n from entry`);
    const before = await count();
    const transfer = await order();
    await apply(server, half(transfer, 'out'), half(transfer, 'in'));
    expect(await stateOf(transfer)).toBe(done);
    expect(await count()).toEqual(before);
  });

  test('refuses wallets that do not go together', async () => {
    const from = await makeWallet('100');
    const { data: second } = await call<GatewayPlatform>(
      ...([server, 'POST', 'gateway_key/platform_save', { name: unique('p'), markets: null }] as const),
      { token: admin },
    );
    const key = await makeKey(server, admin, { platformId: second.id });
    const foreign = await saveAs(key);
    const eth = { market: 'ETH', network: 'ERC20', address: addressOf('ETH', 'x') };
    const cases: [object, string][] = [
      [{ toId: from.id }, '转入钱包不能与转出钱包相同'],
      [{ toId: 999_999 }, '转入钱包不存在'],
      [{ fromId: 999_999, toId: from.id }, '转出钱包不存在'],
      [{ toId: foreign }, '转入钱包不属于转出钱包的交易平台'],
      [{ toId: (await makeWallet('1', eth)).id }, '转入钱包不是转出钱包的币种'],
      [
        { toId: (await makeWallet('1', { network: 'ERC20', address: addressOf('ETH', 'y') })).id },
        '转入钱包不在转出钱包的网络上',
      ],
    ];
    for (const [input, msg] of cases)
      expect(await request({ fromId: from.id, ...input })).toMatchObject({ code: 422, msg });
    for (const amount of ['0', '-1', '1.0000000000000000001'])
      expect((await request({ fromId: from.id, toId: 2, amount })).code).toBe(422);
  });

  test('refuses more than the last reading less what open transfers take, without a reading and out of use', async () => {
    const [from, to] = [await makeWallet('100'), await makeWallet()];
    const between = { fromId: from.id, toId: to.id };
    expect(await request({ fromId: to.id, toId: from.id })).toMatchObject({
      code: 409,
      msg: '平台没有报告过转出钱包的余额',
    });
    expect(await request({ ...between, amount: '100.000000000000000001' })).toMatchObject({ code: 409 });
    const first = (await request({ ...between, amount: '60' })).data;
    expect(await request({ ...between, amount: '40.1' })).toMatchObject({
      code: 409,
      msg: '转出钱包余额不足，可用 40 USDT',
      data: { available: '40' },
    });
    await act('/cancel', { id: first.id });
    const all = (await request({ ...between, amount: '100' })).data;
    // What the chain has taken is in the readings, not in the open transfer.
    await apply(server, half({ ...all, from, to }, 'out', { amount: '-100' }));
    expect((await request({ ...between, amount: '1' })).code).toBe(200);
    await apply(server, { type: 'wallet.balance', data: { wallet: from.no, amount: '0.5' } });
    expect((await request({ ...between, amount: '1' })).code).toBe(409);
    await apply(server, { type: 'wallet.balance', data: { wallet: from.no, amount: '50' } });
    const save = {
      wallet: to.no,
      kind: 'hot',
      market: 'USDT',
      network: 'TRC20',
      address: tronAddress(to.no),
      state: 0,
    };
    await apply(server, { type: 'wallet.saved', data: save });
    expect(await request(between)).toMatchObject({ code: 409, msg: `钱包已停用：${to.no}` });
  });

  test('two requests at once do not take the same balance', async () => {
    const [from, to] = [await makeWallet('15'), await makeWallet()];
    const codes = await runWhileLocked(
      server,
      (tx) => sql`select from wallet where id = ${from.id} for update`.execute(tx),
      ...[1, 2].map(() => async () => (await request({ fromId: from.id, toId: to.id })).code),
    );
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('is not offered in signed mode', async () => {
    const [from, to] = [await makeWallet('15'), await makeWallet()];
    const setSigning = (state: number) =>
      server.query(sql`update config set state = ${state} where key = 'signing.required'`);
    await setSigning(1);
    try {
      const refused = { code: 409, msg: '签名模式下不提供钱包调拨' };
      expect(await request({ fromId: from.id, toId: to.id })).toMatchObject(refused);
      const preview = await fetchData<WalletTransferPreview>(...previewOf({ fromId: from.id, toId: to.id }));
      expect(preview.refusal).toBe(refused.msg);
    } finally {
      await setSigning(0);
    }
  });

  test('above the bound a second person decides, who sees both wallets', async () => {
    await setPolicy(server, 'walletTransfer.request', 2, '15');
    const [from, to] = [await makeWallet('100', { name: '热一' }), await makeWallet('3', { kind: 'cold' })];
    const between = { fromId: from.id, toId: to.id };
    const maker = await makeOperator(server, admin, { abilities: [ABILITY.assets, ABILITY.headquarters] });
    expect((await request(between, maker.token)).code).toBe(200);
    // The sum of the operator's day counts.
    const asked = await request<ApprovalRow>(between, maker.token);
    expect(asked).toMatchObject({ code: 202, data: { type: 'walletTransfer.request', targetId: from.id } });
    expect((await request(between, maker.token)).code).toBe(409);
    expect((await fetchData<WalletTransferPreview>(...previewOf(between))).refusal).toBe('该操作已有待复核的申请');
    const detail = await fetchData<ApprovalDetail>(server, checker.token, 'approval/detail', { id: asked.data.id });
    for (const text of ['热一', to.no, tronAddress(from.no), tronAddress(to.no), 'TRC20', '冷钱包', '不会自动重发'])
      expect(JSON.stringify(detail)).toContain(text);
    const items = [...detail.asked, ...detail.now];
    expect(items).toContainEqual({ label: '转出钱包余额', text: '100', kind: 'amount', unit: 'USDT' });
    expect(items).toContainEqual({ label: '待转出', text: '10', kind: 'amount', unit: 'USDT' });
    const pass = (token: string) => call(server, 'POST', 'approval/pass', { id: asked.data.id }, { token });
    expect((await pass(maker.token)).code).toBe(403);
    expect((await pass(checker.token)).code).toBe(200);
    const rows = await listed({ fromId: from.id });
    expect(rows).toMatchObject([{ by: maker.account, secondBy: checker.account }, { secondBy: null }]);
  });

  test('an approval repeats every check', async () => {
    await setPolicy(server, 'walletTransfer.request', 1);
    const [from, to] = [await makeWallet('100'), await makeWallet()];
    const asked = await request<ApprovalRow>({ fromId: from.id, toId: to.id });
    await apply(server, { type: 'wallet.balance', data: { wallet: from.no, amount: '9' } });
    const passed = await call(server, 'POST', 'approval/pass', { id: asked.data.id }, { token: checker.token });
    expect(passed).toMatchObject({ code: 409, msg: '复核未能执行：转出钱包余额不足，可用 9 USDT' });
    expect(await listed({ fromId: from.id })).toEqual([]);
  });
});

const previewOf = (input: object) => [server, admin, 'wallet/transfer/preview', input] as const;

/** A wallet of another platform. */
async function saveAs(key: ProgramKey): Promise<number> {
  const no = unique('foreign-');
  const data = { wallet: no, kind: 'hot', market: 'USDT', network: 'TRC20', address: tronAddress(no), state: 1 };
  const body = [{ eventId: unique('e-'), type: 'wallet.saved', at: server.clock.now(), data }];
  await callAs(server, key, { method: 'POST', path: 'events', body });
  return walletId(no);
}

test('with full scope and ability 2 or 12 one reads, with ability 2 one changes', async () => {
  const make = (abilities: number[]) => makeOperator(server, admin, { abilities });
  const everyOther = Object.values(ABILITY).filter(
    (ability) => ![ABILITY.assets, ABILITY.audit, ABILITY.headquarters].some((one) => one === ability),
  );
  const cases = [
    { who: await make([ABILITY.assets, ABILITY.headquarters]), read: 200, change: 200 },
    { who: await make([ABILITY.audit, ABILITY.headquarters]), read: 200, change: 403 },
    { who: await make([...everyOther, ABILITY.headquarters]), read: 403, change: 403 },
    { who: await make([ABILITY.assets, ABILITY.audit]), read: 403, change: 403 },
  ];
  for (const { who, read, change } of cases) {
    const { token } = who;
    const [from, to] = [await makeWallet('100'), await makeWallet()];
    const [first, second] = [await order(), await order()];
    await pullOnly(second);
    expect((await call(server, 'GET', 'wallet/transfer/list', {}, { token })).code).toBe(read);
    expect((await request({ fromId: from.id, toId: to.id }, token)).code).toBe(change);
    expect((await act('/cancel', { id: first.id }, token)).code).toBe(change);
    await ack(second, 'unknown');
    expect((await act('/resolve', { id: second.id, done: true, reason: '已查' }, token)).code).toBe(change);
  }
});

/** Delivers the command of one transfer. */
const pullOnly = (transfer: { id: number }) =>
  server.query(sql`update command set state = ${COMMAND.sent}, sent_at = 1, due_at = ${server.clock.now() + UNKNOWN_AFTER_MS}
    where ref_type = 'walletTransfer' and ref_id = ${transfer.id}`);

describe('the wallet answers', () => {
  test.each([
    ['done', moving],
    ['failed', failed],
    ['unknown', unknown],
  ])('%s', async (answer, state) => {
    const transfer = await order();
    await pull(server);
    expect(await ack(transfer, answer, '余额不足')).toEqual(['applied']);
    expect(await find(transfer)).toMatchObject({ state, answer: '余额不足' });
    expect(await ack(transfer, 'unknown')).toEqual(['duplicate']);
    expect(await stateOf(transfer)).toBe(state);
  });

  test('nothing within 60 seconds: the outcome is unknown, and the command is never sent again', async () => {
    const transfer = await order();
    await pull(server);
    await timeOut();
    expect(await find(transfer)).toMatchObject({ state: unknown, answer: '钱包 60 秒内没有回应' });
    await timeOut();
    expect(await pull(server)).toEqual([]);
    expect(await commandState(transfer)).toEqual([COMMAND.unknown]);
    const [notice] = await server.query(sql`
      select type, agent_id as agent from notice where ref_type = 'walletTransfer' and ref_id = ${transfer.id}
      order by id desc limit 1`);
    expect(notice).toEqual({ type: 'walletTransfer.unknown', agent: null });
    expect(await server.query(sql`select from notice where type = 'command.unknown'`)).toEqual([]);
  });

  test.each([
    ['done', moving],
    ['failed', failed],
  ])('late: %s', async (answer, state) => {
    const transfer = await order();
    await pull(server);
    await timeOut();
    expect(await ack(transfer, answer)).toEqual(['applied']);
    expect(await stateOf(transfer)).toBe(state);
  });

  test('twice at once: the first counts', async () => {
    for (let round = 0; round < 5; round += 1) {
      const transfer = await order();
      await pull(server);
      const results = await Promise.all([ack(transfer, 'done'), ack(transfer, 'failed')]);
      expect(results.flat().toSorted()).toEqual(['applied', 'duplicate']);
      expect(await stateOf(transfer)).toBe(results[0]?.[0] === 'applied' ? moving : failed);
    }
  });

  test('after a person decided: the decision stays', async () => {
    const transfer = await order();
    await pull(server);
    await timeOut();
    expect((await act('/resolve', { id: transfer.id, done: false, reason: '未执行' })).code).toBe(200);
    expect(await ack(transfer, 'done')).toEqual(['duplicate']);
    expect(await find(transfer)).toMatchObject({ state: failed, answer: '未执行', resolvedBy: 'admin' });
  });
});

describe('the chain', () => {
  test.each([
    ['out first', ['out', 'in']],
    ['in first', ['in', 'out']],
  ] as const)('ends it with both moves, %s', async (_order, sides) => {
    const transfer = await order();
    await pull(server);
    await ack(transfer, 'done');
    const [first, second] = sides.map((side) => half(transfer, side));
    if (first) await apply(server, first);
    expect(await stateOf(transfer)).toBe(moving);
    if (second) await apply(server, second);
    const hashes = [first, second].map((event) => event?.data.txHash);
    const [outHash, inHash] = sides[0] === 'out' ? hashes : hashes.toReversed();
    expect(await find(transfer)).toMatchObject({ state: done, outHash, inHash });
  });

  test('before the answer: the command needs none', async () => {
    const transfer = await order();
    await pull(server);
    await apply(server, half(transfer, 'out'));
    expect(await stateOf(transfer)).toBe(moving);
    expect(await commandState(transfer)).toEqual([COMMAND.done]);
    await timeOut();
    expect(await ack(transfer, 'failed', 'x')).toEqual(['duplicate']);
    expect(await stateOf(transfer)).toBe(moving);
    await apply(server, half(transfer, 'in'));
    expect(await stateOf(transfer)).toBe(done);
  });

  test('settles an unknown one, and one that the wallet or a person called not executed', async () => {
    const transfers = [await order(), await order(), await order()];
    await pull(server);
    await timeOut();
    const [, refused, decided] = transfers;
    if (refused) await ack(refused, 'failed');
    await act('/resolve', { id: decided?.id, done: false, reason: '未执行' });
    for (const transfer of transfers) {
      await apply(server, half(transfer, 'out'), half(transfer, 'in'));
      expect(await stateOf(transfer)).toBe(done);
    }
  });

  test('is compared with wallet, amount, kind and number', async () => {
    const transfer = await order();
    await pull(server);
    await ack(transfer, 'done');
    const other = await makeWallet();
    await apply(
      server,
      half(transfer, 'out', { amount: '-10.000000000000000001' }),
      half(transfer, 'out', { kind: 'other' }),
      half(transfer, 'out', { wallet: transfer.to.no }),
      half(transfer, 'in', { wallet: other.no }),
      half(transfer, 'in', { record: 'T999999' }),
      half(transfer, 'in', { record: `X${transfer.id}` }),
    );
    expect(await find(transfer)).toMatchObject({ state: moving, outHash: null, inHash: null });
  });

  test('of another platform does not count', async () => {
    const transfer = await order();
    const second = await call<GatewayPlatform>(
      ...([server, 'POST', 'gateway_key/platform_save', { name: unique('p'), markets: null }] as const),
      { token: admin },
    );
    const key = await makeKey(server, admin, { platformId: second.data.id });
    const body = [{ eventId: unique('e-'), at: server.clock.now(), ...half(transfer, 'out') }];
    const answer = await callAs(server, key, { method: 'POST', path: 'events', body });
    expect(answer.data).toMatchObject([{ result: 'rejected', reason: 'out_of_scope: wallet' }]);
    expect((await callAs(server, key, { path: 'commands?after=0' })).data).toEqual([]);
  });

  test('without the number: the oldest open one, and the one whose other half has the hash', async () => {
    const [from, to] = [await makeWallet('100'), await makeWallet()];
    const ordered: Ordered[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { id, no } = (await request({ fromId: from.id, toId: to.id })).data;
      ordered.push({ id, no, from, to });
    }
    const [first, second, third] = ordered as [Ordered, Ordered, Ordered];
    await pull(server);
    await ack(first, 'failed');
    // Dated before all of them: it is none of these.
    const old = { ...half(second, 'out', unnamed), at: server.clock.now() - 3_600_000 };
    await apply(server, old);
    expect((await find(second)).outHash).toBeNull();
    await apply(
      server,
      half(third, 'out', { txHash: '0xthird' }),
      half(third, 'in', { ...unnamed, txHash: '0xthird' }),
    );
    expect(await find(third)).toMatchObject({ state: done, inHash: '0xthird' });
    await apply(server, half(second, 'out', unnamed), half(second, 'in', unnamed));
    expect(await Promise.all([first, second].map(stateOf))).toEqual([failed, done]);
  });

  test('gives each move to one transfer when both halves and equal ones come at once', async () => {
    const [from, to] = [await makeWallet('100'), await makeWallet()];
    const ids: number[] = [];
    for (let n = 0; n < 2; n += 1) ids.push((await request({ fromId: from.id, toId: to.id })).data.id);
    await pull(server);
    const sample = { id: 0, no: '', from, to };
    await Promise.all([
      ...[1, 2].map(() => apply(server, half(sample, 'out', unnamed))),
      ...[1, 2].map(() => apply(server, half(sample, 'in', unnamed))),
    ]);
    expect(await Promise.all(ids.map((id) => stateOf({ id })))).toEqual([done, done]);
  });

  test('takes a half back: the outcome is unknown until it comes again', async () => {
    const transfer = await order();
    const out = half(transfer, 'out');
    await apply(server, out, half(transfer, 'in'));
    await apply(server, { type: 'chain.reverted', data: { no: out.data.no } });
    expect(await find(transfer)).toMatchObject({ state: unknown, outHash: null, answer: '链上转账已被回滚' });
    await apply(server, half(transfer, 'out'));
    expect(await stateOf(transfer)).toBe(done);
  });
});

describe('cancel', () => {
  test('of one that nobody was given', async () => {
    const transfer = await order();
    expect(await act('/cancel', { id: transfer.id, reason: '不需要' })).toMatchObject({
      code: 200,
      data: { state: cancelled, answer: '不需要', resolvedBy: 'admin' },
    });
    expect(await pull(server)).toEqual([]);
    expect(await act('/cancel', { id: transfer.id })).toMatchObject({
      code: 409,
      msg: '记录已被处理，当前状态：已撤销',
    });
    // A wallet that moves nevertheless was not ordered to.
    await apply(server, half(transfer, 'out'), half(transfer, 'in'), half(transfer, 'in', unnamed));
    expect(await find(transfer)).toMatchObject({ state: cancelled, outHash: null, inHash: null });
  });

  test.each([
    ['delivered', () => pull(server)],
    ['leased', () => lease(server)],
  ])('not of one that was %s', async (_how, take) => {
    const transfer = await order();
    await take();
    const refused = { code: 409, msg: '调拨指令已交给钱包，不能撤销' };
    expect(await act('/cancel', { id: transfer.id })).toMatchObject(refused);
    expect(await stateOf(transfer)).toBe(queued);
  });

  test('at once with a delivery: one of the two wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const transfer = await order();
      const [{ code }, delivered] = await Promise.all([act('/cancel', { id: transfer.id }), pull(server)]);
      const own = delivered.filter(({ data }) => data.no === transfer.no);
      expect([code, own.length]).toEqual(code === 200 ? [200, 0] : [409, 1]);
    }
  });
});

describe('resolve', () => {
  test.each([
    [true, done, COMMAND.done],
    [false, failed, COMMAND.failed],
  ])('records %s with the person and the reason', async (isDone, state, commandAfter) => {
    const transfer = await order();
    await pull(server);
    const input = { id: transfer.id, done: isDone, reason: '链上已核对' };
    expect((await act('/resolve', input)).code).toBe(409);
    await timeOut();
    expect((await act('/resolve', { ...input, reason: ' ' })).code).toBe(422);
    expect(await act('/resolve', input)).toMatchObject({
      code: 200,
      data: { state, answer: '链上已核对', resolvedBy: 'admin' },
    });
    expect(await commandState(transfer)).toEqual([commandAfter]);
    expect((await act('/resolve', input)).code).toBe(409);
    const audit = await fetchAuditRows(server, { targetType: 'walletTransfer', targetId: transfer.id });
    expect(audit.at(-1)).toMatchObject({
      action: 'walletTransfer.resolve',
      before: { state: unknown },
      after: { state },
    });
  });

  test('also of one that the wallet accepted, whose moves never come; later ones are its', async () => {
    const transfer = await order();
    await pull(server);
    await ack(transfer, 'done');
    expect((await act('/resolve', { id: transfer.id, done: true, reason: '交易所已到账' })).code).toBe(200);
    const out = half(transfer, 'out');
    await apply(server, out);
    expect(await find(transfer)).toMatchObject({ state: done, outHash: out.data.txHash, inHash: null });
  });

  test('at once with the answer: one of the two wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const transfer = await order();
      await pull(server);
      await timeOut();
      const [{ code }, [result]] = await Promise.all([
        act('/resolve', { id: transfer.id, done: true, reason: '已核对' }),
        ack(transfer, 'failed'),
      ]);
      // After a failure there is nothing to resolve.
      expect([code, result, await stateOf(transfer)]).toEqual(
        code === 200 ? [200, 'duplicate', done] : [409, 'applied', failed],
      );
    }
  });

  test('is not possible through the command', async () => {
    const transfer = await order();
    await pull(server);
    await timeOut();
    const [command] = await commandsOf(transfer);
    const refused = { code: 409, msg: '调拨指令请在钱包调拨中处理' };
    for (const [path, more] of [
      ['command/retry', {}],
      ['command/resolve', { state: COMMAND.done }],
    ] as const)
      expect(await call(server, 'POST', path, { id: command?.id, ...more }, { token: admin })).toMatchObject(refused);
    expect(await stateOf(transfer)).toBe(unknown);
  });
});

describe('a killed connection leaves nothing half done', () => {
  /** Runs work until it waits for a row, kills its connection, and returns what it answered. */
  async function killAt<T>(rows: ReturnType<typeof sql>, work: () => Promise<T>): Promise<T> {
    return server.owner.transaction().execute(async (tx) => {
      await rows.execute(tx);
      const answer = work();
      await waitUntilBlocked(server);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(tx);
      return answer;
    });
  }

  test('cancel, after its command was called back', async () => {
    const transfer = await order();
    const row = sql`select from wallet_transfer where id = ${transfer.id} for update`;
    const { code } = await killAt(row, () => act('/cancel', { id: transfer.id }));
    expect(code).toBeGreaterThanOrEqual(500);
    expect([await stateOf(transfer), await commandState(transfer)]).toEqual([queued, [COMMAND.waiting]]);
    expect((await act('/cancel', { id: transfer.id })).code).toBe(200);
  });

  test('a move, before it joins its transfer', async () => {
    const transfer = await order();
    await pull(server);
    const event = { eventId: unique('e-'), at: server.clock.now(), ...half(transfer, 'out') };
    const row = sql`select from command where ref_type = 'walletTransfer' and ref_id = ${transfer.id} for update`;
    await killAt(row, () => send(server, event).catch(() => undefined));
    expect(await find(transfer)).toMatchObject({ state: queued, outHash: null });
    expect(await send(server, event)).toMatchObject([{ result: 'applied' }]);
    expect(await stateOf(transfer)).toBe(moving);
  });
});
