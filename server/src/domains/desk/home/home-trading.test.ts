import { HOME_DAYS } from '@hengtai/contract/wire/input-values';
import type { HomeTrading, HomeTradingDay } from '@hengtai/contract/desk/home/schema';
import { Decimal, type DecimalValue } from '@hengtai/contract/values/decimal';
import { beforeAll, expect, test } from 'vitest';
import { type TestOperator, makeIeo, makeOperator, makeUser } from '../../../../test/factories.ts';
import { positionClosed, makeFuturesMarket, makeFuturesUser, openPosition } from '../../../../test/future.ts';
import {
  makeContractUser,
  makeBinaryContractMarket,
  openContract as openBinaryContract,
  settleAll,
  sendTicks,
} from '../../../../test/binary-contract.ts';
import { apply, call, login, nextDayAt, provideServer } from '../../../../test/server.ts';
import { orderFilled, makeTrader, placeOrder } from '../../../../test/spot.ts';

const DAY = 24 * 3_600_000;
const CACHE_MS_MAX = 60_000;
const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  // 20:00 in China.
  server.clock.move(Date.parse('2027-03-01T12:00:00Z') - server.clock.now());
  admin = await login(server);
});

const tradingOf = async (token: string): Promise<HomeTrading> => {
  const { code, data } = await call<HomeTrading>(server, 'GET', 'home/trading', {}, { token });
  expect(code).toBe(200);
  return data;
};

interface LoggedTrade {
  agent: string;
  day: string;
  kind: 'spot' | 'future' | 'second' | 'ieo';
  value: DecimalValue;
  count: number;
  result: DecimalValue;
}

const log: LoggedTrade[] = [];

/** The date in China. */
const today = () => new Date(server.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10);

/** Computes the figures of a scope from the log. */
function expected(agents: readonly string[] | undefined): HomeTradingDay[] {
  const last = Date.parse(`${today()}T00:00:00Z`);
  return Array.from({ length: HOME_DAYS }, (_, index) => {
    const day = new Date(last - (HOME_DAYS - 1 - index) * DAY).toISOString().slice(0, 10);
    const own = log.filter((one) => one.day === day && (agents?.includes(one.agent) ?? true));
    const cents = (values: readonly DecimalValue[]) =>
      values
        .reduce<Decimal>((sum, value) => sum.plus(value), new Decimal(0))
        .toDecimalPlaces(2)
        .toFixed();
    const figuresOf = (kind: LoggedTrade['kind']) => {
      const found = own.filter((one) => one.kind === kind);
      const flow = {
        value: cents(found.map(({ value }) => value)),
        count: found.reduce((sum, { count }) => sum + count, 0),
      };
      return { flow, result: cents(found.map(({ result }) => result)) };
    };
    const [future, second] = [figuresOf('future'), figuresOf('second')];
    return {
      day,
      spot: figuresOf('spot').flow,
      future: { ...future.flow, result: future.result },
      second: { ...second.flow, result: second.result },
      ieo: figuresOf('ieo').flow,
    };
  });
}

/** Trades for one day below an agent, including trades that do not count. */
async function trade(agent: TestOperator, number: number): Promise<void> {
  const below = { agent: agent.account };
  const record = (kind: LoggedTrade['kind'], value: DecimalValue, count = 1, result: DecimalValue = 0) =>
    log.push({ agent: agent.account, day: today(), kind, value, count, result });

  const trader = await makeTrader(server, { USDT: '1000' }, below);
  const no = await placeOrder(server, trader, { price: '10', amount: '2' });
  await apply(server, orderFilled(no, '0.5'), orderFilled(no, `0.000${number + 1}`, '9.99'));
  record('spot', new Decimal('5').plus(new Decimal(`0.000${number + 1}`).mul('9.99')), 2);

  const { market } = await makeFuturesMarket(server, { price: '10' });
  const holder = await makeFuturesUser(server, '1000', below);
  for (const demo of [0, 1] as const) {
    const position = await openPosition(server, holder, { market, demo, amount: '10', margin: '10' });
    await apply(server, positionClosed(position, '4.5', number % 2 === 0 ? '10.13' : '9.87'));
  }
  record('future', '100');
  const won = number % 2 === 0 ? '0.13' : '-0.13';
  record('future', new Decimal(number % 2 === 0 ? '10.13' : '9.87').mul('4.5'), 1, new Decimal(won).mul('4.5'));

  const player = await makeContractUser(server, '1000', below);
  const second = await makeBinaryContractMarket(server);
  const at = server.clock.now() - 60_000;
  await openBinaryContract(server, player, { market: second, amount: '12.345', at });
  await sendTicks(server, second, ['1', at + 1], [number % 2 === 0 ? '2' : '0.5', at + 30_001]);
  // No price arrives in time for this contract, so it is voided.
  const stale = await makeBinaryContractMarket(server);
  await openBinaryContract(server, player, { market: stale, amount: '99', at });
  await sendTicks(server, stale, ['1', at + 59_000]);
  await settleAll(server);
  record('second', '12.345', 1, number % 2 === 0 ? new Decimal('12.345').mul('0.75') : '-12.345');

  const passed = await makeIeo(server, admin, await makeBuyer(agent), { price: '0.5', amount: '33' });
  expect((await call(server, 'POST', 'ieo/order/pass', { id: passed.id }, { token: admin })).code).toBe(200);
  record('ieo', '16.5');
  await makeIeo(server, admin, await makeBuyer(agent), { price: '0.5', amount: '44' });
}

const makeBuyer = ({ account }: TestOperator) => makeUser(server, { agent: account, amount: '100' });

test('is exact for every scope and day, without demo positions, voided contracts and pending subscriptions', async () => {
  const now = server.clock.now();
  server.clock.move(nextDayAt(9, now) - now);
  admin = await login(server);
  const one = await makeOperator(server, admin);
  const below = await makeOperator(server, admin, { parent: one.account });
  const other = await makeOperator(server, admin);
  for (const number of [0, 1, 2]) {
    for (const agent of [one, below, other]) await trade(agent, number);
    server.clock.move(number === 1 ? 3 * DAY : DAY);
    admin = await login(server);
  }
  server.clock.move(CACHE_MS_MAX);
  for (const [token, agents] of [
    [await login(server, one.account, 'operator-password'), [one.account, below.account]],
    [await login(server, below.account, 'operator-password'), [below.account]],
    [await login(server, other.account, 'operator-password'), [other.account]],
    [admin, undefined],
  ] as const) {
    expect((await tradingOf(token)).days).toEqual(expected(agents));
  }
  // Days older than thirty days are no longer included.
  server.clock.move(27 * DAY);
  admin = await login(server);
  const { days } = await tradingOf(admin);
  expect(days).toEqual(expected(undefined));
  expect(days.some(({ spot }) => spot.count > 0)).toBe(true);
  expect(expected(undefined).reduce((sum, { spot }) => sum + spot.count, 0)).toBeLessThan(
    log.filter(({ kind }) => kind === 'spot').reduce((sum, { count }) => sum + count, 0),
  );
});

test('has thirty days of zeros for an empty scope', async () => {
  const { token } = await makeOperator(server, admin);
  const none = { value: '0', count: 0 };
  const { days } = await tradingOf(token);
  expect(days).toHaveLength(HOME_DAYS);
  for (const { day: _day, ...figures } of days) {
    expect(figures).toEqual({
      spot: none,
      future: { ...none, result: '0' },
      second: { ...none, result: '0' },
      ieo: none,
    });
  }
});
