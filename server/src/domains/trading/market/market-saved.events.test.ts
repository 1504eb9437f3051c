import type { EventAnswer } from '@hengtai/contract/gateway/schema';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRejection, makeMarket } from '../../../../test/book.ts';
import { makeUser } from '../../../../test/factories.ts';
import { type ProgramKey, callAs, makeKey } from '../../../../test/gateway-key.ts';
import {
  type TestServer,
  apply,
  call,
  login,
  platformCall,
  send,
  testServer,
  unique,
} from '../../../../test/server.ts';
import { makeTrader, placeOrder } from '../../../../test/spot.ts';
import { checkBook } from '../../../books/ledger/check.ts';

let server: TestServer;
let admin: string;

beforeAll(async () => {
  server = await testServer();
  admin = await login(server);
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

const saved = (market: string, version: number, fields: object = {}) => ({
  type: 'market.saved',
  data: { market, version, ...fields },
});
const rules = { state: 1, spot: 1, pricePrecision: 2, amountPrecision: 4, makerFee: '-0.0001', takerFee: '0.001' };

async function row(marketName: string): Promise<MarketRow> {
  const { data } = await call<{ list: MarketRow[] }>(server, 'GET', 'market/list', { marketName }, { token: admin });
  const [found] = data.list;
  if (!found) throw new Error(`no market ${marketName}`);
  return found;
}
const save = (body: object) => call<MarketRow>(server, 'POST', 'market/save', body, { token: admin });

describe('market.saved', () => {
  test('creates and changes a market, once per version and in order', async () => {
    const market = unique('S');
    const created = { ...saved(market, 1, rules), eventId: unique('e-') };
    await apply(server, created);
    expect(await row(market)).toMatchObject({ ...rules, managed: 1, updatedBy: null, rechargeState: 0 });
    const repeated = await send(server, created);
    expect(repeated.map(({ result }) => result)).toEqual(['duplicate']);
    await apply(server, saved(market, 3, { takerFee: '0.002' }));
    for (const version of [2, 3])
      expect(await expectRejection(server, saved(market, version, { takerFee: '0.01' }))).toBe('late');
    expect(await row(market)).toMatchObject({ takerFee: '0.002', makerFee: '-0.0001' });
  });

  test.each([
    ['pricePrecision', 24, 'at most 18 decimals, 24 given'],
    ['amountPrecision', 19, 'at most 18 decimals, 19 given'],
    ['amountPrecision', -1, 'number of decimals expected'],
    ['amountPrecision', 18.5, 'number of decimals expected'],
    ['minAmount', '0.0000000000000000001', 'at most 18 decimals, 19 given'],
    ['makerFee', '-0.0000000000000000001', 'at most 18 decimals, 19 given'],
  ])('rejects %s %s: %s', async (field, value, detail) => {
    const [answer] = await send(server, saved(unique('S'), 1, { ...rules, [field]: value }));
    expect(answer).toMatchObject({ reason: `invalid: ${field}`, detail: `/0/data/${field}: ${detail}` });
  });

  test('a later event of the same call sees the market and its change', async () => {
    const [market, account] = [unique('S'), await makeTrader(server, { USDT: '10' })];
    const order = (no: string, price: string) => ({
      type: 'order.placed',
      data: { no, account, market, side: 1, type: 1, price, amount: '1' },
    });
    const answers = await send(
      server,
      order(unique('O'), '1'),
      saved(market, 1, rules),
      order(unique('O'), '1.25'),
      saved(market, 2, { pricePrecision: 3 }),
      order(unique('O'), '1.125'),
      saved(market, 3, { spot: 0 }),
      order(unique('O'), '1'),
    );
    expect(answers.map(({ result, reason }) => reason ?? result)).toEqual([
      'unknown: market',
      'applied',
      'applied',
      'applied',
      'applied',
      'applied',
      'closed',
    ]);
  });

  test('makes a pair, whose coins stay', async () => {
    const market = unique('S');
    await apply(server, saved(market, 1, { ...rules, base: 'ETH', quote: 'BTC' }));
    expect(await row(market)).toMatchObject({ base: 'ETH', quote: 'BTC' });
    expect(await expectRejection(server, saved(market, 2, { quote: 'USDT' }))).toBe('invalid: quote');
    expect(await expectRejection(server, saved(unique('S'), 1, { base: 'ETH' }))).toBe('invalid: quote');
    expect(await expectRejection(server, saved(unique('S'), 1, { base: 'ETH', quote: 'NOPE' }))).toBe('unknown: quote');
    expect(await expectRejection(server, saved(unique('S'), 1, { base: 'ETH', quote: market }))).toBe('invalid: quote');
    const { data } = await platformCall<MarketRow[]>(server, 'GET', 'markets');
    expect(data.find(({ marketName }) => marketName === market)).toMatchObject({ base: 'ETH', quote: 'BTC' });
  });

  test.each([
    ['the settlement asset', 'USDT', {}, 'invalid: market'],
    ['another spelling of a market', 'btc', {}, 'exists'],
    ['a fee above the limit', unique('S'), { takerFee: '0.2' }, 'invalid: takerFee'],
    ['a rebate above the limit', unique('S'), { makerFee: '-0.2' }, 'invalid: makerFee'],
    ['limits in the wrong order', unique('S'), { minAmount: '2', maxAmount: '1' }, 'invalid: maxAmount'],
    ['a coin that is its own pair', unique('S'), { base: 'ETH', quote: 'ETH' }, 'invalid: quote'],
  ])('rejects %s', async (_name, market, fields, reason) => {
    expect(await expectRejection(server, saved(market, 1, fields))).toBe(reason);
  });

  test('rejects a precision that is coarser than what is booked', async () => {
    const market = unique('S');
    await apply(server, saved(market, 1, { ...rules, amountPrecision: 8 }));
    const account = await makeTrader(server, { USDT: '10' });
    await placeOrder(server, account, { market, price: '1.25', amount: '0.123' });
    expect(await expectRejection(server, saved(market, 2, { pricePrecision: 1 }))).toBe('invalid: pricePrecision');
    expect(await expectRejection(server, saved(market, 2, { amountPrecision: 2 }))).toBe('invalid: amountPrecision');
    await apply(server, saved(market, 2, { amountPrecision: 3 }));
    const coin = await makeMarket(server);
    await server.query(sql`update market set amount_precision = 8 where market_name = ${coin}`);
    await makeTrader(server, { [coin]: '0.0001' });
    expect(await expectRejection(server, saved(coin, 1, { amountPrecision: 3 }))).toBe('invalid: amountPrecision');
  });

  test('the audit chain names the platform, with what changed', async () => {
    const market = unique('S');
    await apply(server, saved(market, 1, rules));
    await apply(server, saved(market, 7, { takerFee: '0.003' }));
    const rows = await server.query(sql<{
      operator: string | null;
      before: object | null;
      after: object;
      reason: string;
    }>`
      select a.operator, a.before, a.after, a.reason from audit a join market m on m.id = a.target_id
      where a.action = 'market.saved' and a.target_type = 'market' and m.market_name = ${market} order by a.id`);
    expect(rows).toMatchObject([
      { operator: null, before: null, after: { marketName: market, takerFee: '0.001' }, reason: '交易平台版本 1' },
      { operator: null, before: { takerFee: '0.001' }, after: { takerFee: '0.003' }, reason: '交易平台版本 7' },
    ]);
  });
});

describe('listing by the platform', () => {
  let program: ProgramKey;
  beforeAll(async () => {
    program = await makeKey(server, admin, { rights: ['market', 'recharge', 'listing'] });
  });
  const list = async (...events: ReturnType<typeof saved>[]) => {
    const body = events.map((event) => ({ eventId: unique('e-'), at: server.clock.now(), ...event }));
    const { data } = await callAs(server, program, { method: 'POST', path: 'events', body });
    return (data as EventAnswer[]).map(({ result, reason }) => reason ?? result);
  };
  const networks = [
    { network: 'TRC20', fee: '1', withdraw: 1 },
    { network: 'ERC20', recharge: 0 },
  ] as const;
  const settingsOf = async (market: string) => {
    const found = await row(market);
    const open = found.networks.filter(({ recharge }) => recharge === 1).map(({ network }) => network);
    return { ...found, open };
  };

  test('a new coin takes deposits at once, and no withdrawals', async () => {
    const market = unique('S');
    expect(await list(saved(market, Date.UTC(2026, 0), { ...rules, rechargeState: 1, networks }))).toEqual(['applied']);
    expect(await row(market)).toMatchObject({
      rechargeState: 1,
      withdrawState: 0,
      networks: [
        { network: 'TRC20', recharge: 1, withdraw: 0, fee: '1', explorer: '' },
        { network: 'ERC20', recharge: 0, withdraw: 0, fee: '0', explorer: '' },
      ],
    });
    const account = await makeUser(server);
    const credit = { no: unique('R'), account, market, network: 'trc-20', address: 'T', txHash: unique('0x') };
    await apply(server, {
      type: 'recharge.credited',
      data: { ...credit, amount: '5', confirmations: 9, source: 1 },
    });
    const balances = await platformCall(server, 'GET', `balances?account=${account}`);
    expect(balances.data).toMatchObject([{ market, active: '5' }]);
  });

  test('needs a right that keys of the environment do not have', async () => {
    const market = unique('S');
    for (const fields of [{ rechargeState: 1 }, { networks: [] }]) {
      const body = [{ eventId: unique('e-'), at: server.clock.now(), ...saved(market, 1, { ...rules, ...fields }) }];
      expect(await platformCall(server, 'POST', 'events', body)).toMatchObject({
        code: 403,
        error: 'not_permitted',
        data: { rights: ['listing'] },
      });
    }
    await apply(server, saved(market, 1, rules));
  });

  test('never closes, removes or reprices anything', async () => {
    const market = unique('S');
    await list(saved(market, 1, { ...rules, rechargeState: 1, networks: [...networks, { network: 'BEP20' }] }));
    const before = await row(market);
    const changed = { fee: '9', explorer: 'https://other.example/{tx}' };
    const less = [
      { network: 'bep-20', recharge: 0, ...changed },
      { network: 'trc-20', ...changed },
    ];
    expect(await list(saved(market, 2, { rechargeState: 0, networks: less }))).toEqual(['applied']);
    expect(await row(market)).toMatchObject({ rechargeState: 1, networks: before.networks });
  });

  test('a coin that takes any network gets none while it is open', async () => {
    const market = unique('S');
    await list(saved(market, 1, { ...rules, rechargeState: 1 }));
    expect(await list(saved(market, 2, { networks }))).toEqual(['invalid: networks']);
    expect((await save({ id: (await row(market)).id, rechargeState: 0 })).code).toBe(200);
    expect(await list(saved(market, 2, { networks }))).toEqual(['applied']);
    expect((await row(market)).networks.length).toBe(2);
  });

  test('what operators close or remove stays so until they open it', async () => {
    const market = unique('S');
    await list(saved(market, 1, { ...rules, rechargeState: 1, networks }));
    const { id, networks: listed } = await row(market);
    const [tron, ether] = listed;
    if (!tron || !ether) throw new Error('Two networks were listed.');
    const bep = { ...tron, network: 'BEP20', recharge: 0 };
    const all = [{ network: 'trc-20' }, { network: 'ERC20' }, { network: 'BEP20' }, { network: 'SOL' }];
    expect((await save({ id, rechargeState: 0, networks: [{ ...tron, recharge: 0 }, bep] })).code).toBe(200);
    expect(await list(saved(market, 2, { rechargeState: 1, networks: all }))).toEqual(['applied']);
    expect(await settingsOf(market)).toMatchObject({ rechargeState: 0, open: ['SOL'] });
    const open = (await row(market)).networks.map((one) => ({ ...one, recharge: 1 as const }));
    expect((await save({ id, rechargeState: 1, networks: open })).code).toBe(200);
    expect(await list(saved(market, 3, { networks: all }))).toEqual(['applied']);
    expect(await settingsOf(market)).toMatchObject({ rechargeState: 1, open: ['TRC20', 'BEP20', 'SOL'] });
  });

  test('what was closed before the platform saved the coin counts as closed by operators', async () => {
    const market = await makeMarket(server);
    const { id } = await row(market);
    const closed = { network: 'TRC20', recharge: 0, withdraw: 0, fee: '0', explorer: '' };
    expect((await save({ id, rechargeState: 0, networks: [closed] })).code).toBe(200);
    expect(await list(saved(market, 1, { rechargeState: 1, networks }))).toEqual(['applied']);
    expect(await settingsOf(market)).toMatchObject({ rechargeState: 0, open: [] });
  });
});

describe('versions of markets', () => {
  test('are integers up to 2^53 - 1', async () => {
    const market = unique('S');
    const max = Number.MAX_SAFE_INTEGER;
    await apply(server, saved(market, Date.UTC(2026, 10), rules), saved(market, max, { takerFee: '0.002' }));
    expect(await expectRejection(server, saved(market, max, { takerFee: '0.003' }))).toBe('late');
    const [answer] = await send(server, saved(market, max + 1, rules));
    expect(answer).toMatchObject({
      reason: 'invalid: version',
      detail: expect.stringContaining('integer from 1 to 2^53 - 1'),
    });
  });
});

describe('operators and the platform', () => {
  test('the trading rules belong to the platform, everything else to the operator', async () => {
    const market = unique('S');
    await apply(server, saved(market, 1, rules));
    const { id } = await row(market);
    expect(await save({ id, takerFee: '0.005' })).toMatchObject({ code: 422, data: [{ field: 'takerFee' }] });
    expect(await save({ id, takerFee: '0.0010', sort: 7, withdrawFee: '1', withdrawState: 1 })).toMatchObject({
      code: 200,
    });
    await apply(server, saved(market, 2, { takerFee: '0.004' }));
    expect(await row(market)).toMatchObject({ takerFee: '0.004', sort: 7, withdrawState: 1, withdrawFee: '1' });
  });

  test('what one side switches off stays off until the same side switches it on', async () => {
    const market = unique('S');
    await apply(server, saved(market, 1, { ...rules, second: 1 }));
    const { id } = await row(market);
    expect((await save({ id, spot: 0, state: 2 })).code).toBe(200);
    await apply(server, saved(market, 2, { spot: 1, state: 1, second: 0 }));
    expect(await row(market)).toMatchObject({ spot: 0, state: 2, second: 0 });
    await apply(server, saved(market, 3, { spot: 0, state: 0 }), saved(market, 4, { spot: 1, state: 1 }));
    expect(await row(market)).toMatchObject({ spot: 0, state: 2, second: 0 });
    expect(await save({ id, second: 1 })).toMatchObject({ code: 422, data: [{ field: 'second' }] });
    expect((await save({ id, spot: 1, state: 1 })).code).toBe(200);
    await apply(server, saved(market, 5, { second: 1, state: 0 }));
    expect(await row(market)).toMatchObject({ spot: 1, state: 0, second: 1 });
    expect(await save({ id, state: 1 })).toMatchObject({ code: 422, data: [{ field: 'state' }] });
    await apply(server, saved(market, 6, { state: 1 }));
    expect(await row(market)).toMatchObject({ state: 1, spot: 1 });
  });

  test('a market that the platform has not saved is the operator’s alone', async () => {
    const market = await makeMarket(server);
    const { id } = await row(market);
    expect(await row(market)).toMatchObject({ managed: 0, spot: 0 });
    expect((await save({ id, takerFee: '0.005' })).code).toBe(200);
    await apply(server, saved(market, 1, { spot: 1, takerFee: '0.001' }));
    // It was off before the platform came.
    expect(await row(market)).toMatchObject({ managed: 1, spot: 0, takerFee: '0.001' });
    expect((await save({ id, spot: 1 })).code).toBe(200);
  });
});
