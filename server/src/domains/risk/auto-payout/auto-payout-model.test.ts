// @module-tag sized
// @module-tag soak
import type { AlarmKind } from '@hengtai/contract/house/alarm/facts';
import { alarmStops } from '@hengtai/contract/house/alarm/stops';
import type { GatewayPlatform } from '@hengtai/contract/house/gateway-key/schema';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sized } from '../../../../../testing/level.ts';
import { makeRandom } from '../../../../../testing/random.ts';
import { tronAddress } from '../../../../test/address.ts';
import { fetchCoin, fetchDecision, saveBudget } from '../../../../test/auto-payout.ts';
import { makeMarket } from '../../../../test/book.ts';
import { findWithdraw } from '../../../../test/factories.ts';
import { type ProgramKey, callAs, makeKey } from '../../../../test/gateway-key.ts';
import { fetchLastKyc, kycSubmission } from '../../../../test/identity.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { makeRule } from '../../../../test/rules.ts';
import { fetchNameScreening, fetchScreening, setScreening } from '../../../../test/screening.ts';
import { call, login, platformCall, provideServer, unique } from '../../../../test/server.ts';
import { inTransaction } from '../../../database/connect.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { decideCandidates, stopCoins } from './auto-payout.jobs.ts';

const STEPS = sized({ short: 10, full: 40, long: 600 });
const seed = Number(process.env['TEST_SEED'] ?? 1);
const random = makeRandom(seed);

const server = provideServer({ jobs: false });
let token: string;
/** A program of the second platform. The first one has the key of the environment. */
let second: ProgramKey;

interface Coin {
  id: number;
  name: string;
}
let coins: Coin[];

const platforms = ['first', 'second'] as const;
interface Customer {
  account: string;
  platform: (typeof platforms)[number];
}
const honest: Customer[] = [];

/** The model: coins that are stopped, each on a platform. */
const stopped = new Set<string>();
const cellOf = ({ id }: Coin, platform: string): string => `${id} ${platform}`;

const post = <T>(path: string, input: object) => call<T>(server, 'POST', path, input, { token });

/** Reports an event as the platform of a customer; a rejection is an answer as well. */
async function report({ platform }: Pick<Customer, 'platform'>, type: string, data: object): Promise<void> {
  const body = [{ eventId: unique('e-'), type, at: server.clock.now(), data }];
  if (platform === 'first') await platformCall(server, 'POST', 'events', body);
  else await callAs(server, second, { method: 'POST', path: 'events', body });
}

async function register(platform: Customer['platform'], amount: string): Promise<Customer> {
  const customer = { account: unique('user'), platform };
  await report(customer, 'user.registered', { account: customer.account });
  for (const coin of coins) await deposit(customer, coin, amount);
  return customer;
}

async function deposit(
  customer: Customer,
  { name: market }: Coin,
  amount: string,
  txHash = `0x${unique('').padStart(64, '0')}`,
) {
  const no = unique('R');
  const payee = { network: 'TRC20', address: tronAddress('deposit'), txHash, index: 0, confirmations: 20, source: 1 };
  await report(customer, 'recharge.credited', { no, account: customer.account, market, amount, ...payee });
  return { no, txHash };
}

async function request(customer: Customer, { name: market }: Coin, more: object = {}): Promise<string> {
  const no = unique('W');
  const payee = { network: 'TRC20', address: tronAddress(no) };
  const data = { no, account: customer.account, market, ...payee, amount: '10', fee: '1', ...more };
  await report(customer, 'withdraw.requested', data);
  return no;
}

/** Requests a withdrawal of which a person orders the payout, unless the system did. */
async function requestPassed(customer: Customer, coin: Coin): Promise<string> {
  const no = await request(customer, coin);
  await decideCandidates(server.app);
  const { id, state } = await findWithdraw(server, token, no);
  if (state === 0) expect(await post('withdraw/pass', { id })).toMatchObject({ code: 200 });
  return no;
}

beforeAll(async () => {
  token = await login(server);
  await makeRule(server, token, { actions: { points: 1 } });
  await setPolicy(server, 'withdraw.pass', 0);
  const market = await makeMarket(server);
  coins = await server.query(sql<Coin>`
    select id, market_name as name from market where market_name in ('USDT', ${market}) order by id`);
  for (const { id } of coins) await saveBudget(server, token, {}, id);
  const named = { name: 'second', markets: null };
  second = await makeKey(server, token, {
    platformId: (await post<GatewayPlatform>('gateway_key/platform_save', named)).data.id,
  });
  for (const platform of platforms) honest.push(await register(platform, '900000'));
});

/** A provider names the request of a record with a hit, after a person passed it. */
async function hitAfterPass(customer: Customer, kind: 'address' | 'name'): Promise<void> {
  await setScreening(server, { [kind]: 1 });
  const find = async () => {
    if (kind === 'name') {
      await report(customer, 'auth.submitted', kycSubmission(customer.account));
      const { id } = await fetchLastKyc(server, token, customer.account);
      return { pass: { path: 'auth/review/pass', id }, screening: await fetchNameScreening(server, token, id) };
    }
    const { id } = await findWithdraw(server, token, await request(customer, random.pick(coins)));
    return { pass: { path: 'withdraw/pass', id }, screening: await fetchScreening(server, token, id) };
  };
  const { pass, screening } = await find();
  const no = screening.requests[0]?.no;
  const answered = { no, provider: 'chain' };
  await report(customer, 'screen.answered', { ...answered, result: 'clear' });
  await post(pass.path, { id: pass.id });
  await report(customer, 'screen.answered', { ...answered, result: 'hit', categories: ['theft'] });
  await setScreening(server, { [kind]: 0 });
}

const harmless = (Object.keys(alarmStops) as AlarmKind[]).filter((kind) => alarmStops[kind] !== 'coin');

/** What happens by one customer: what its platform reports about it, and what is found about it. */
const byCustomer: Readonly<Record<string, (customer: Customer, coin: Coin) => Promise<unknown>>> = {
  deposit: (customer, coin) => deposit(customer, coin, '5'),
  repeat: async (customer, coin) => deposit(customer, coin, '5', (await deposit(customer, coin, '5')).txHash),
  shortfall: async (customer, coin) => {
    const poor = await register(customer.platform, '0.000001');
    const { no } = await deposit(poor, coin, '10');
    await request(poor, coin);
    await report(poor, 'recharge.reversed', { no });
  },
  withdraw: (customer, coin) => request(customer, coin),
  withdrawAgain: (customer, coin) => request(customer, coin, { address: tronAddress('known') }),
  withdrawAll: (customer, coin) => request(customer, coin, { amount: '999999' }),
  badAddress: (customer, coin) => request(customer, coin, { address: 'nowhere' }),
  cancel: async (customer, coin) => report(customer, 'withdraw.cancelled', { no: await request(customer, coin) }),
  paidNowhere: (customer) => report(customer, 'withdraw.paid', { no: unique('W'), txHash: unique('0x') }),
  addressHit: (customer) => hitAfterPass(customer, 'address'),
  nameHit: (customer) => hitAfterPass(customer, 'name'),
  alarm: async (customer, coin) => {
    const { id, userId } = await findWithdraw(server, token, await request(customer, coin));
    const about = { refType: 'withdraw', refId: id, userId, agentId: 1, detail: { market: coin.name } };
    const kind = random.pick(harmless);
    await inTransaction(server.app.system, (db) => raiseAlarm(db, { kind, ...about, now: server.clock.now() }));
  },
};

/** What stops the coin of a withdrawal on its platform. */
const byWallet: Readonly<Record<string, (customer: Customer, no: string) => Promise<void>>> = {
  paidTwice: async (customer, no) => {
    for (const txHash of [unique('0x'), unique('0x')]) await report(customer, 'withdraw.paid', { no, txHash });
  },
  failed: (customer, no) => report(customer, 'withdraw.failed', { no }),
  unknown: (customer, no) => report(customer, 'withdraw.unknown', { no }),
};

/** Looks at all causes of a coin on one platform, and starts it there. */
async function resume(coin: Coin, platform: Customer['platform']): Promise<void> {
  const found = await fetchCoin(server, token, coin.id);
  const name = platform === 'first' ? '默认平台' : 'second';
  const causes = found?.causes?.filter((cause) => cause.platform.name === name).map(({ id }) => id) ?? [];
  const input = { marketId: coin.id, seen: found?.updatedAt, causes, reason: '已核实' };
  const isStopped = stopped.has(cellOf(coin, platform));
  expect(await post('withdraw/auto/start', input)).toMatchObject({ code: isStopped ? 200 : 409 });
  stopped.delete(cellOf(coin, platform));
}

/** Compares each coin on each platform with the model, by a withdrawal of a customer that nothing happened to. */
async function compare(step: string): Promise<void> {
  await stopCoins(server.app);
  const requested: { cell: string; no: string }[] = [];
  for (const customer of honest)
    for (const coin of coins)
      requested.push({ cell: cellOf(coin, customer.platform), no: await request(customer, coin) });
  await decideCandidates(server.app);
  for (const { cell, no } of requested) {
    const { id } = await findWithdraw(server, token, no);
    const why = stopped.has(cell) ? 'stopped' : null;
    expect(await fetchDecision(server, token, id), `${step}, seed ${seed}`).toMatchObject({ why });
  }
}

test('one customer stops nobody else, and what stops a coin stops it on its platform only', async () => {
  const attackers = [await register('first', '1000'), await register('second', '1000')];
  /** Each thing that a customer can cause happens before one happens again. */
  const left: string[] = [];
  for (let n = 0; n < STEPS; n += 1) {
    const [coin, platform] = [random.pick(coins), random.pick(platforms)];
    const choice = random.int(10);
    let step: string;
    if (choice < 7) {
      if (left.length === 0) left.push(...Object.keys(byCustomer));
      [step = ''] = left.splice(random.int(left.length), 1);
      await byCustomer[step]?.(random.pick(attackers), coin);
    } else if (choice < 9) {
      step = random.pick(Object.keys(byWallet));
      const bystander = await register(platform, '100');
      await byWallet[step]?.(bystander, await requestPassed(bystander, coin));
      stopped.add(cellOf(coin, platform));
    } else {
      step = 'resume';
      await resume(coin, platform);
    }
    await compare(`step ${n}: ${step} ${coin.name} ${platform}`);
    if (n % 50 === 49) token = await login(server);
  }
  if (STEPS <= 2 * Object.keys(byCustomer).length) return;
  // The events did raise the alarms that they are about.
  const kinds = await server.query(sql<{ kind: string }>`select distinct kind from alarm`);
  const expected = ['recharge.repeated', 'recharge.reversed', 'withdraw.screenHit', 'auth.screenHit'];
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(expected));
}, 1_200_000);
