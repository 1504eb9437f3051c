import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeMarket } from '../../test/book.ts';
import { makeUser, recharge } from '../../test/factories.ts';
import { addSignal } from '../../test/follow.ts';
import { apply, login, provideServer, send, unique } from '../../test/server.ts';

const server = provideServer({ jobs: false });
let admin: string;
let signal: string;
beforeAll(async () => {
  admin = await login(server);
  ({ no: signal } = await addSignal(server, admin));
});

/** What is wrong with a request, and the reason that says so. */
interface Fault {
  reason: string;
  /** Fields of the event while the fault is there. */
  data?: object;
  /** Whether the number is in use. */
  isUsed?: true;
  /** Columns of the market or of the user, while the fault is there and afterwards. */
  market?: readonly [broken: RawBuilder<unknown>, mended: RawBuilder<unknown>];
  user?: readonly [broken: RawBuilder<unknown>, mended: RawBuilder<unknown>];
}

const unknownAccount: Fault = { reason: 'unknown: account', data: { account: 'nobody-at-all' } };
const unknownMarket: Fault = { reason: 'unknown: market', data: { market: 'NOPE' } };
const tooFine: Fault = { reason: 'invalid: amount', data: { amount: '1.000000001' } };
const frozen: Fault = { reason: 'frozen', user: [sql`state = 0`, sql`state = 1`] };
const noTrade: Fault = { reason: 'trading closed', user: [sql`trade = 0`, sql`trade = 1`] };
const closed: Fault = { reason: 'closed', market: [sql`state = 2`, sql`state = 1`] };
const halted: Fault = {
  reason: 'halted',
  market: [
    sql`halted_at = 1, future_halted_at = 1, second_halted_at = 1`,
    sql`halted_at = null, future_halted_at = null, second_halted_at = null`,
  ],
};
const belowMin: Fault = { reason: 'below min', market: [sql`min_amount = 5`, sql`min_amount = 0`] };
const used: Fault = { reason: 'exists', isUsed: true };
const poor: Fault = { reason: 'insufficient' };

const trading = { side: 1, type: 1, price: '2', amount: '3' };
const withdrawal = { network: 'Testnet', address: 'T-one', amount: '3', fee: '1' };

/** Types of requests with right data, what they cost, and all faults in the order in which they are looked for. */
const requests: readonly (readonly [type: string, cost: string, data: object, faults: readonly Fault[]])[] = [
  [
    'withdraw.requested',
    '3',
    withdrawal,
    [
      { reason: 'invalid: address', data: { address: 'T one' } },
      unknownAccount,
      unknownMarket,
      frozen,
      closed,
      { reason: 'below min', market: [sql`withdraw_min = 5`, sql`withdraw_min = 0`] },
      { reason: 'fee', data: { fee: '3' } },
      used,
      poor,
    ],
  ],
  [
    'order.placed',
    '6',
    trading,
    [unknownAccount, unknownMarket, tooFine, frozen, noTrade, closed, halted, belowMin, used, poor],
  ],
  [
    'position.placed',
    '6',
    { ...trading, demo: 0, leverage: 1, margin: '6' },
    [
      unknownAccount,
      unknownMarket,
      tooFine,
      { reason: 'invalid: leverage', data: { leverage: 2 } },
      frozen,
      noTrade,
      closed,
      halted,
      belowMin,
      used,
      poor,
    ],
  ],
  [
    'second.opened',
    '100',
    { side: 1, seconds: 30, amount: '100' },
    [
      unknownAccount,
      unknownMarket,
      { reason: 'invalid: amount', data: { amount: '100.0000000001' } },
      frozen,
      noTrade,
      closed,
      halted,
      { reason: 'unknown: seconds', data: { seconds: 31 } },
      { reason: 'below min', data: { amount: '0.01' } },
      used,
      poor,
    ],
  ],
  [
    'ieo.ordered',
    '6',
    { price: '2', amount: '3' },
    [
      unknownAccount,
      unknownMarket,
      frozen,
      { reason: 'subscribing closed', user: [sql`ieo_buy = 0`, sql`ieo_buy = 1`] },
      closed,
      used,
      poor,
    ],
  ],
  [
    'follow.opened',
    '10',
    { amount: '10' },
    [
      unknownAccount,
      { reason: 'unknown: signal', data: { signal: 'NOPE' } },
      frozen,
      noTrade,
      { reason: 'below min', data: { amount: '9' } },
      used,
      poor,
    ],
  ],
  [
    'transfer.made',
    '3',
    { platform: 1, toPlatform: 2, amount: '3' },
    [
      unknownAccount,
      { reason: 'unknown: toAccount', data: { toAccount: 'nobody-at-all' } },
      unknownMarket,
      { reason: 'same account', data: { toPlatform: 1 } },
      frozen,
      used,
      poor,
    ],
  ],
];

/** The account type that pays for a request, if it is not the funding account. */
const PAYING: Readonly<Record<string, number>> = {
  'order.placed': 2,
  'position.placed': 3,
  'follow.opened': 3,
  'second.opened': 4,
};

test.each(requests)('%s with several faults: the first in the documented order', async (type, cost, right, faults) => {
  const [account, market, no] = [await makeUser(server), await makeMarket(server), unique('N')];
  const coin = ['withdraw.requested', 'transfer.made'].includes(type) ? market : 'USDT';
  const change = async (index: 0 | 1, { market: ofMarket, user: ofUser }: Fault) => {
    if (ofMarket) await server.query(sql`update market set ${ofMarket[index]} where market_name = ${market}`);
    if (ofUser) await server.query(sql`update users set ${ofUser[index]} where account_key = ${account}`);
  };
  const fund = async () => {
    await recharge(server, account, cost, coin);
    const toPlatform = PAYING[type];
    const data = { no: unique('T'), account, toAccount: account, market: coin, platform: 1, toPlatform, amount: cost };
    if (toPlatform !== undefined) await apply(server, { type: 'transfer.made', data });
  };
  const ask = async (left: readonly Fault[]) => {
    const names = {
      account,
      ...(type === 'follow.opened' ? { signal } : { market }),
      ...(type === 'transfer.made' && { toAccount: account }),
    };
    const isUsed = left.some((fault) => fault.isUsed);
    const wrong: object = Object.assign({}, ...left.map((fault) => fault.data).toReversed());
    const [answer] = await send(server, {
      type,
      data: { no: isUsed ? no : unique('N'), ...names, ...right, ...wrong },
    });
    return answer?.reason ?? answer?.result;
  };
  await server.query(sql`update market set spot = 1, future = 1, second = 1, ieo = 1 where market_name = ${market}`);
  await fund();
  expect(await ask([used])).toBe('applied');
  for (const fault of faults) await change(0, fault);
  const found: unknown[] = [];
  for (const [index, fault] of faults.entries()) {
    found.push(await ask(faults.slice(index)));
    await change(1, fault);
  }
  expect(found).toEqual(faults.map(({ reason }) => reason));
  await fund();
  expect(await ask([])).toBe('applied');
});
