import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import type { HouseEntry } from '@hengtai/contract/funds/house/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { ENTRY } from '@hengtai/contract/values/money';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressOf, evmTwin, tronAddress } from '../../../../test/address.ts';
import { type SentEvent, expectRejection, fetchHouseBalance, makeMarket } from '../../../../test/book.ts';
import { pull } from '../../../../test/commands.ts';
import { findWithdraw, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { type ProgramKey, callAs, makeKey } from '../../../../test/gateway-key.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer, send, unique } from '../../../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;
beforeAll(async () => {
  admin = await login(server);
  for (const policy of ['withdraw.pass', 'withdraw.refund'] as const) await setPolicy(server, policy, 0);
});

const walletOf = (more: object = {}) => ({
  wallet: unique('wallet-'),
  kind: 'hot',
  market: 'USDT',
  network: 'TRC20',
  address: tronAddress('own'),
  state: 1,
  ...more,
});
const saved = (data: object): SentEvent => ({ type: 'wallet.saved', data });

/** Saves a wallet and returns its id. */
async function save(more: object = {}): Promise<string> {
  const data = walletOf(more);
  await apply(server, saved(data));
  return data.wallet;
}

const moveOf = (wallet: string, more: object = {}) => ({
  no: unique('move-'),
  wallet,
  kind: 'other',
  amount: '-5',
  txHash: unique('0x'),
  ...more,
});
const moved = (data: object): SentEvent => ({ type: 'chain.moved', data });
const read = (wallet: string, amount: string, more: object = {}): SentEvent => ({
  type: 'wallet.balance',
  data: { wallet, amount, ...more },
});

async function rowOf(no: string) {
  const [row] = await server.query(sql<{ name: string; state: number; createdAt: number; accountKey: string | null }>`
    select w.kind, m.market_name as market, w.network, w.address, w.memo, w.account_key as "accountKey",
      w.memo_key as "memoKey", w.name, w.state, w.created_at as "createdAt"
    from wallet w join market m on m.id = w.market_id where w.no = ${no} and w.platform_id = 1`);
  return row;
}

const readingsOf = (no: string) =>
  server.query(sql<{ amount: string; at: number }>`
    select r.amount, r.block, r.created_at as at from wallet_reading r join wallet w on w.id = r.wallet_id
    where w.no = ${no} order by r.created_at desc, r.id desc`);

const countMoves = async (no: string): Promise<number> =>
  (await server.query(sql`select from chain_move where no = ${no}`)).length;

interface Fee {
  market: string;
  amount: string;
  effect: string;
  posted: string | null;
}

/** The statements about the fee of a transaction, and what each posted to custody. */
const feesOf = (txHash: string): Promise<Fee[]> =>
  server.query(sql<Fee>`
    select f.market, f.amount, f.effect, (select e.amount from entry e join account a on a.id = e.account_id
      where e.ref_type = 'chainFee' and e.ref_id = f.id and a.owner = 'custody') as posted
    from chain_fee f where f.tx_hash = ${txHash} order by f.id`);

describe('wallet.saved', () => {
  test('keeps a wallet with the keys of its address', async () => {
    const at = server.clock.now() - 5_000;
    const address = addressOf('XRP', 'own');
    const data = walletOf({ name: '热钱包', market: 'XRP', network: 'XRPL', address, memo: '007' });
    await apply(server, { ...saved(data), at });
    expect(await rowOf(data.wallet)).toEqual({
      kind: 'hot',
      market: 'XRP',
      network: 'XRPL',
      address,
      memo: '007',
      accountKey: expect.any(String) as string,
      memoKey: '7',
      name: '热钱包',
      state: 1,
      createdAt: at,
    });
  });

  test('needs no address and no name', async () => {
    const { address: _address, ...data } = walletOf({ kind: 'exchange' });
    await apply(server, saved(data));
    expect(await rowOf(data.wallet)).toMatchObject({ address: '', memo: '', accountKey: null, name: '' });
  });

  test('changes name and state, and keeps what is not given and when it was first saved', async () => {
    const data = walletOf();
    const at = server.clock.now() - 5_000;
    await apply(server, { ...saved({ ...data, name: 'one' }), at }, saved({ ...data, name: 'two', state: 0 }));
    expect(await rowOf(data.wallet)).toMatchObject({ name: 'two', state: 0, createdAt: at });
    await apply(server, saved(data));
    expect(await rowOf(data.wallet)).toMatchObject({ name: 'two', state: 1, createdAt: at });
  });

  test('an older event changes nothing', async () => {
    const data = walletOf({ name: 'new' });
    await apply(server, saved(data), { ...saved({ ...data, name: 'old', state: 0 }), at: server.clock.now() - 60_000 });
    expect(await rowOf(data.wallet)).toMatchObject({ name: 'new', state: 1 });
  });

  test('the same network and account in another spelling are no change', async () => {
    const market = await makeMarket(server, {
      networks: [{ network: 'ERC20', recharge: 0, withdraw: 0, fee: '0', explorer: '' }],
    });
    const address = evmTwin(tronAddress('own'));
    const data = walletOf({ market, network: 'erc-20', address });
    await apply(server, saved(data), saved({ ...data, network: 'Ethereum', address: address.slice(2), state: 0 }));
    expect(await rowOf(data.wallet)).toMatchObject({ network: 'erc-20', address, state: 0 });
  });

  test.each([
    ['kind', { kind: 'cold' }],
    ['market', { market: 'ETH' }],
    ['network', { network: 'ERC20' }],
    ['address', { address: tronAddress('another') }],
    ['address', { address: undefined }],
  ])('never changes the %s', async (field, change) => {
    const data = walletOf();
    await apply(server, saved(data));
    expect(await expectRejection(server, saved({ ...data, ...change }))).toBe(`invalid: ${field}`);
  });

  test('never changes the memo', async () => {
    const data = walletOf({ market: 'XRP', network: 'XRPL', address: addressOf('XRP', 'own'), memo: '7' });
    await apply(server, saved(data));
    expect(await expectRejection(server, saved({ ...data, memo: '8' }))).toBe('invalid: memo');
  });

  test.each([
    ['an unknown market', { market: 'NOPE' }, 'unknown: market'],
    ['a network that the coin does not list', { network: 'Ripple' }, 'unknown: network'],
    ['an address with a blank', { address: 'T one' }, 'invalid: address'],
    ['a memo with a control character', { memo: '1\u00ad' }, 'invalid: memo'],
    ['another kind', { kind: 'lukewarm' }, 'invalid: kind'],
    ['another state', { state: 2 }, 'invalid: state'],
    ['a long id', { wallet: 'x'.repeat(65) }, 'invalid: wallet'],
    ['an empty name', { name: '' }, 'invalid: name'],
    ['an unknown field', { balance: '1' }, 'invalid: balance'],
  ])('is rejected for %s', async (_name, more, reason) => {
    expect(await expectRejection(server, saved(walletOf(more)))).toBe(reason);
  });

  test('is rejected for a pair', async () => {
    const pair = await makeMarket(server);
    await server.query(sql`
      update market set base_id = (select id from market where market_name = 'BTC'),
        quote_id = (select id from market where market_name = 'ETH') where market_name = ${pair}`);
    expect(await expectRejection(server, saved(walletOf({ market: pair })))).toBe('invalid: market');
  });

  test('a wallet stays when its network is no longer listed', async () => {
    const market = await makeMarket(server, {
      networks: [{ network: 'TRC20', recharge: 1, withdraw: 1, fee: '0', explorer: '' }],
    });
    const data = walletOf({ market });
    await apply(server, saved(data));
    await server.query(sql`
      update market set networks = '[{"network": "ERC20", "recharge": 1, "withdraw": 1, "fee": "0", "explorer": ""}]' where market_name = ${market}`);
    await apply(server, saved({ ...data, state: 0 }));
    expect(await rowOf(data.wallet)).toMatchObject({ state: 0 });
  });
});

describe('wallet.balance', () => {
  test('keeps each reading, also an older one, by its time', async () => {
    const wallet = await save();
    const now = server.clock.now();
    await apply(
      server,
      { ...read(wallet, '12.000000000000000001', { block: 9_007_199_254_740_991 }), at: now },
      { ...read(wallet, '0'), at: now - 60_000 },
    );
    expect(await readingsOf(wallet)).toEqual([
      { amount: '12.000000000000000001', block: 9_007_199_254_740_991, at: now },
      { amount: '0', block: null, at: now - 60_000 },
    ]);
  });

  test('the same event again is a duplicate, and with other data a conflict', async () => {
    const event = { ...read(await save(), '1'), eventId: unique('reading-') };
    await apply(server, event);
    expect(await send(server, event)).toMatchObject([{ result: 'duplicate' }]);
    const other = { ...event, data: { ...event.data, amount: '2' } };
    expect(await send(server, other)).toMatchObject([{ result: 'rejected', reason: 'conflict' }]);
  });

  test('is rejected for an unknown wallet, a negative amount and too many decimals', async () => {
    const wallet = await save();
    expect(await expectRejection(server, read('nobody', '1'))).toBe('unknown: wallet');
    expect(await expectRejection(server, read(wallet, '-1'))).toBe('invalid: amount');
    expect(await expectRejection(server, read(wallet, '0.0000000000000000001'))).toBe('invalid: amount');
  });
});

describe('chain.moved', () => {
  test('keeps a move with all its fields', async () => {
    const address = addressOf('XRP', 'other side');
    const wallet = await save({ market: 'XRP', network: 'XRPL', address: addressOf('XRP', 'own') });
    const at = server.clock.now() - 5_000;
    const more = { index: 3, address, memo: '07', kind: 'payout', record: 'W-1', attempt: 2, block: 7 };
    const data = moveOf(wallet, { amount: '-0.000000000000000001', ...more });
    await apply(server, { ...moved(data), at });
    const [row] = await server.query(sql`
      select kind, amount, tx_hash as "txHash", tx_index as index, address, memo, account_key as "accountKey",
        memo_key as "memoKey", record, attempt, block, fee, fee_market as "feeMarket", created_at as "createdAt"
      from chain_move where no = ${data.no}`);
    const { no: _no, wallet: _wallet, ...kept } = data;
    const keys = { accountKey: expect.any(String) as string, memoKey: '7' };
    expect(row).toEqual({ ...kept, ...keys, fee: null, feeMarket: null, createdAt: at });
  });

  test('takes an address of the other side as it is', async () => {
    const data = moveOf(await save(), { address: 'T one' });
    await apply(server, moved(data));
    expect(await server.query(sql`select address from chain_move where no = ${data.no}`)).toEqual([
      { address: 'T one' },
    ]);
  });

  test('comes before its wallet: rejected, and applied once the wallet is saved', async () => {
    const data = walletOf();
    const move = { ...moved(moveOf(data.wallet)), eventId: unique('early-') };
    expect(await expectRejection(server, move)).toBe('unknown: wallet');
    expect(await send(server, move, saved(data), move)).toMatchObject([
      { result: 'rejected', reason: 'unknown: wallet' },
      { result: 'applied' },
      { result: 'applied' },
    ]);
  });

  test('a number is used once', async () => {
    const wallet = await save();
    const data = moveOf(wallet);
    const event = { ...moved(data), eventId: unique('move-event-') };
    await apply(server, event);
    expect(await send(server, event)).toMatchObject([{ result: 'duplicate' }]);
    expect(await expectRejection(server, moved(data))).toBe('exists');
    expect(await expectRejection(server, moved({ ...data, amount: '-6' }))).toBe('exists');
    const changed = { ...event, data: { ...data, amount: '-6' } };
    expect(await send(server, changed)).toMatchObject([{ result: 'rejected', reason: 'conflict' }]);
    expect(await countMoves(data.no)).toBe(1);
  });

  test.each([
    ['nothing', { amount: '0' }, 'invalid: amount'],
    ['too many decimals', { amount: '0.0000000000000000001' }, 'invalid: amount'],
    ['a deposit that went out', { kind: 'deposit', amount: '-1' }, 'invalid: amount'],
    ['a payout that came in', { kind: 'payout', amount: '1' }, 'invalid: amount'],
    ['a fee of a fee', { kind: 'fee', fee: '1' }, 'invalid: fee'],
    ['no hash', { txHash: '' }, 'invalid: txHash'],
    ['an attempt of 0', { attempt: 0 }, 'invalid: attempt'],
    ['a block beyond 2^53 - 1', { block: 2 ** 53 }, 'invalid: block'],
  ])('is rejected for %s', async (_name, more, reason) => {
    expect(await expectRejection(server, moved(moveOf(await save(), more)))).toBe(reason);
  });
});

describe('chain.reverted', () => {
  const reverted = (no: string): SentEvent => ({ type: 'chain.reverted', data: { no } });

  test('reverts a move once', async () => {
    const data = moveOf(await save());
    await apply(server, moved(data), reverted(data.no));
    expect(await expectRejection(server, reverted(data.no))).toBe('state');
    expect(await countMoves(data.no)).toBe(1);
  });

  test('is rejected for an unknown move', async () => {
    expect(await expectRejection(server, reverted('nobody'))).toBe('unknown: no');
  });

  test('leaves the fee posted until a move gives it back', async () => {
    const market = await makeMarket(server);
    const wallet = await save({ market });
    const data = moveOf(wallet, { fee: '0.3' });
    await apply(server, moved(data), reverted(data.no));
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('-0.3');
    await apply(server, moved(moveOf(wallet, { kind: 'fee', amount: '0.3', txHash: data.txHash })));
    expect(await feesOf(data.txHash)).toEqual([
      { market, amount: '0.3', effect: 'posted', posted: '0.3' },
      { market, amount: '-0.3', effect: 'posted', posted: '-0.3' },
    ]);
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('0');
  });
});

describe('what a chain took', () => {
  /** A withdrawal of 10 that the wallet may pay. */
  async function makePayout(market: string): Promise<string> {
    const user = await makeUser(server, { amount: '100', market });
    const { id, no } = await makeWithdraw(server, admin, user, { amount: '10', fee: '1', market });
    expect((await call(server, 'POST', 'withdraw/pass', { id }, { token: admin })).code).toBe(200);
    await pull(server);
    return no;
  }
  const paid = (no: string, txHash: string, more: object): SentEvent => ({
    type: 'withdraw.paid',
    data: { no, txHash, ...more },
  });

  test('is posted from the account of chain fees to custody, and shown with its hash', async () => {
    const market = await makeMarket(server);
    const data = moveOf(await save({ market }), { fee: '0.000000000000000001' });
    await apply(server, moved(data));
    expect(await fetchHouseBalance(server, 'custody', market)).toBe('0.000000000000000001');
    const [{ id }] = (await server.query(sql<{ id: number }>`select id from market where market_name = ${market}`)) as [
      { id: number },
    ];
    const { list } = await fetchData<Page<HouseEntry>>(server, admin, 'house/entries', { marketId: id, sort: 'id' });
    const line = { type: ENTRY.chainFee, refType: 'chainFee', txHash: data.txHash, userId: null };
    expect(list).toMatchObject([
      { ...line, house: 'chainFee', amount: '-0.000000000000000001' },
      { ...line, house: 'custody', amount: '0.000000000000000001' },
    ]);
  });

  test('is the amount of a move of the kind fee', async () => {
    const market = await makeMarket(server);
    const data = moveOf(await save({ market }), { kind: 'fee', amount: '-0.2' });
    await apply(server, moved(data));
    expect(await feesOf(data.txHash)).toEqual([{ market, amount: '0.2', effect: 'posted', posted: '0.2' }]);
  });

  test.each(['the move first', 'the payment first'])('is posted once if both state it, %s', async (order) => {
    const market = await makeMarket(server);
    const txHash = unique('0x');
    const no = await makePayout(market);
    const wallet = await save({ market });
    const payout = { kind: 'payout', amount: '-9', record: no, txHash, fee: '0.5' };
    const events = [moved(moveOf(wallet, payout)), paid(no, txHash, { chainFee: '0.50' })];
    if (order === 'the payment first') events.reverse();
    await apply(server, ...events);
    expect(await feesOf(txHash)).toEqual([{ market, amount: '0.5', effect: 'posted', posted: '0.5' }]);
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('-0.5');
    expect(await fetchHouseBalance(server, 'custody', market)).toBe('-90.5');
  });

  test('is a difference if it is stated again with another amount or coin', async () => {
    const market = await makeMarket(server);
    const wallet = await save({ market });
    const txHash = unique('0x');
    const states = [{ fee: '0.5' }, { fee: '0.6' }, { fee: '0.5', feeMarket: 'BTC' }, { fee: '0' }, {}, { fee: '0.5' }];
    for (const more of states) await apply(server, moved(moveOf(wallet, { txHash, ...more })));
    expect(await feesOf(txHash)).toEqual([
      { market, amount: '0.5', effect: 'posted', posted: '0.5' },
      { market, amount: '0.6', effect: 'different', posted: null },
      { market: 'BTC', amount: '0.5', effect: 'different', posted: null },
    ]);
  });

  test('is posted for a payment in another coin, also after a refund', async () => {
    const [market, gas] = [await makeMarket(server), await makeMarket(server)];
    const no = await makePayout(market);
    await apply(server, paid(no, unique('0x'), { chainFee: '0.01', feeMarket: gas }));
    const refunded = await makePayout(market);
    await apply(server, { type: 'withdraw.failed', data: { no: refunded } });
    const { id } = await findWithdraw(server, admin, refunded);
    await call(server, 'POST', 'withdraw/refund', { id, reason: '测试' }, { token: admin });
    await apply(server, paid(refunded, unique('0x'), { chainFee: '0.02', feeMarket: gas }));
    expect(await fetchHouseBalance(server, 'chainFee', gas)).toBe('-0.03');
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('0');
  });

  test('belongs to its network', async () => {
    const market = await makeMarket(server);
    const txHash = unique('0x');
    for (const network of ['TRC20', 'ERC20', 'Ethereum'])
      await apply(server, moved(moveOf(await save({ market, network }), { txHash, fee: '0.5' })));
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('-1');
  });

  test.each(['NOPE', 'pair'])('is kept and not posted in what is no coin: %s', async (name) => {
    const market = await makeMarket(server);
    if (name === 'pair' && (await server.query(sql`select from market where market_name = 'pair'`)).length === 0) {
      await makeMarket(server, { name });
      await server.query(sql`
        update market set base_id = (select id from market where market_name = ${market}),
          quote_id = (select id from market where market_name = 'ETH') where market_name = ${name}`);
    }
    const data = moveOf(await save({ market }), { fee: '0.5', feeMarket: name });
    await apply(server, moved(data));
    expect(await feesOf(data.txHash)).toEqual([{ market: name, amount: '0.5', effect: 'unlisted', posted: null }]);
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('0');
  });

  test('is not posted by an event that is rejected', async () => {
    const market = await makeMarket(server);
    const user = await makeUser(server, { amount: '100', market });
    const { no } = await makeWithdraw(server, admin, user, { amount: '10', fee: '1', market });
    const txHash = unique('0x');
    expect(await send(server, paid(no, txHash, { chainFee: '0.5' }))).toMatchObject([{ reason: 'state' }]);
    expect(await feesOf(txHash)).toEqual([]);
  });

  test('is posted once if two programs state it at the same time', async () => {
    const market = await makeMarket(server);
    const wallet = await save({ market });
    const txHash = unique('0x');
    await Promise.all(Array.from({ length: 6 }, () => apply(server, moved(moveOf(wallet, { txHash, fee: '0.5' })))));
    expect(await feesOf(txHash)).toHaveLength(1);
    expect(await fetchHouseBalance(server, 'chainFee', market)).toBe('-0.5');
  });
});

describe('two platforms', () => {
  let other: ProgramKey;
  beforeAll(async () => {
    const named = { name: unique('second '), markets: ['BTC'] };
    const { data } = await call<GatewayPlatform>(server, 'POST', 'gateway_key/platform_save', named, { token: admin });
    other = await makeKey(server, admin, { platformId: data.id });
  });
  const report = async (...events: SentEvent[]) => {
    const at = server.clock.now();
    const body = events.map((event) => ({ eventId: unique('other-'), at, ...event }));
    return (await callAs(server, other, { method: 'POST', path: 'events', body })).data;
  };

  test('may use the same ids, numbers and hashes', async () => {
    const data = walletOf();
    const move = moveOf(data.wallet, { fee: '0.5' });
    const events = [saved(data), moved(move)];
    await apply(server, ...events);
    expect(await report(...events)).toMatchObject([{ result: 'applied' }, { result: 'applied' }]);
    expect(await feesOf(move.txHash)).toMatchObject([{ posted: '0.5' }, { posted: '0.5' }]);
    expect(await report({ type: 'chain.reverted', data: { no: move.no } })).toMatchObject([{ result: 'applied' }]);
    await apply(server, { type: 'chain.reverted', data: { no: move.no } });
  });

  test('do not speak of wallets, moves and coins of each other', async () => {
    const wallet = await save();
    const move = moveOf(wallet);
    await apply(server, moved(move));
    expect(
      await report(
        read(wallet, '1'),
        moved(moveOf(wallet)),
        { type: 'chain.reverted', data: { no: move.no } },
        saved(walletOf({ market: 'ETH', network: 'ERC20', address: undefined })),
      ),
    ).toMatchObject([
      { reason: 'out_of_scope: wallet' },
      { reason: 'out_of_scope: wallet' },
      { reason: 'out_of_scope: no' },
      { reason: 'out_of_scope: market' },
    ]);
  });

  test('a fee in a coin of another platform is not posted', async () => {
    const data = walletOf();
    const move = moveOf(data.wallet, { fee: '0.5', feeMarket: 'ETH' });
    expect(await report(saved(data), moved(move))).toMatchObject([{ result: 'applied' }, { result: 'applied' }]);
    expect(await feesOf(move.txHash)).toMatchObject([{ effect: 'unlisted', posted: null }]);
  });
});

describe('rights of a key', () => {
  test.each([
    ['wallet', 'wallet.balance', { wallet: 'any', amount: '1' }],
    ['chain', 'chain.reverted', { no: 'any' }],
  ])('%s is needed', async (right, type, data) => {
    const body = [{ eventId: unique('right-'), type, at: server.clock.now(), data }];
    const without = await makeKey(server, admin, { rights: ['withdraw', 'recharge'] });
    const refused = await callAs(server, without, { method: 'POST', path: 'events', body });
    expect(refused).toMatchObject({ status: 403, error: 'not_permitted', data: { rights: [right] } });
    const key = await makeKey(server, admin, { rights: [right] });
    expect(await callAs(server, key, { method: 'POST', path: 'events', body })).toMatchObject({ status: 200 });
  });
});
