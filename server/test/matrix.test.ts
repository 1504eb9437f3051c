// @module-tag sized
// @module-tag soak
import { afterAll, describe, expect, test } from 'vitest';
import { level } from '../../testing/level.ts';
import { COLUMNS, type Codes, type Column } from './matrix-cases.ts';
import { type Line, type Result, beforeLines, fetchAnswer, findLeaks, lines, runMatrix } from './matrix-run.ts';
import { PLACES, type World, makeWorld } from './matrix-world.ts';
import { type TestServer, call, nextDayAt, testServer } from './server.ts';

const seed = Number(process.env['TEST_SEED']);
/** Requests with two errors, which only show the order of the checks. */
const DOUBLE = COLUMNS.filter((column) => column.includes('+'));

/** The short run skips requests with two errors. The full run makes one of a call, chosen by the seed, the long run all. */
function isTested({ name, row: { codes } }: Line, column: Column): boolean {
  if (codes[column] === '-') return false;
  if (!column.includes('+') || level === 'long') return true;
  const doubles = DOUBLE.filter((one) => codes[one] !== '-');
  return (
    level === 'full' && column === doubles[(seed + lines.findIndex((line) => line.name === name)) % doubles.length]
  );
}

let server: TestServer;
let world: World;
let result: Result;

beforeLines(async (selected) => {
  server = await testServer({ jobs: false });
  // The counters are per day, so the test stays within one day.
  const now = server.clock.now();
  server.clock.move(nextDayAt(9, now) - now);
  world = await makeWorld(server);
  result = await runMatrix(world, selected, isTested);
});
afterAll(async () => {
  printTable();
  await server.stop();
});

describe('every call answers every caller as its row defines', () => {
  test.each(lines)('$name', (line) => {
    const tested = COLUMNS.filter((column) => isTested(line, column));
    const expected = Object.fromEntries(tested.map((column) => [column, line.row.codes[column]]));
    expect(result.received.get(line.name)).toEqual(expected);
  });
});

describe('the rows match the requirements of the contract', () => {
  test.each(lines)('$name', (line) => {
    expect(line.row.codes).toMatchObject(requiredCodes(line));
  });
});

test('no answer contains a word of another tree', () => {
  expect(result.answers.length).toBeGreaterThan(300);
  expect(result.leaks).toEqual([]);
});

describe('complete lists and figures', () => {
  const unfilteredCalls = lines.filter(
    ({ call: { method, kind, target } }) => (method === 'GET' || kind === 'export') && target === undefined,
  );

  test.each(unfilteredCalls)('$name shows only the own tree', async ({ name, call: spec }) => {
    for (const viewer of ['own', 'child'] as const) {
      const input = spec.kind === 'export' ? { format: 'csv' } : spec.list ? { size: 200, page: 1 } : {};
      const text = await fetchAnswer(world, spec, input, world.places[viewer].agent.token);
      expect(findLeaks(world, viewer, text)).toEqual([]);
      if (
        viewer === 'own' &&
        ['agent.list', 'user.list', 'withdraw.list', 'approval.list', 'audit.list', 'withdraw.excel'].includes(name)
      ) {
        for (const place of ['own', 'child'] as const) expect(text).toContain(world.places[place].canary);
      }
    }
  });

  test('the leak search finds the words in an answer to the admin', async () => {
    const list = lines.find(({ name }) => name === 'user.list');
    const text = list ? await fetchAnswer(world, list.call, { size: 200 }, world.admin) : '';
    expect(findLeaks(world, 'own', text).map(({ place }) => place)).toEqual(['sibling', 'other', 'parent']);
  });

  test('the cards of the home page count only the own tree', async () => {
    const fetchCards = async (token: string): Promise<Record<string, number>> => {
      const { data } = await call<{ text: string; value: string }[]>(server, 'GET', 'state', {}, { token });
      return Object.fromEntries(data.map(({ text, value }) => [text, Number(value)]));
    };
    const fetchTotal = async (path: string, input: object, token: string): Promise<number> =>
      (await call<{ total: number }>(server, 'GET', path, input, { token })).data.total;
    for (const place of PLACES) {
      const { token } = world.places[place].agent;
      const counts = await fetchCards(token);
      expect(counts['用户总数']).toBe(await fetchTotal('user/list', {}, token));
      expect(counts['待审核提现']).toBe(await fetchTotal('withdraw/list', { state: 0 }, token));
      expect(counts['待审核实名']).toBe(await fetchTotal('auth/list', { state: 0 }, token));
      expect(counts['待审核认购']).toBe(await fetchTotal('ieo/order/list', { type: 'review' }, token));
      expect(counts['秒合约进行中']).toBe(await fetchTotal('second/contract/list', { state: 0 }, token));
      expect(counts['待复核审批']).toBe(await fetchTotal('approval/list', { state: 0 }, token));
    }
    const [own, child, all] = [
      await fetchCards(world.places.own.agent.token),
      await fetchCards(world.places.child.agent.token),
      await fetchCards(world.admin),
    ];
    expect(child['用户总数']).toBeLessThan(own['用户总数'] ?? 0);
    expect(own['用户总数']).toBeLessThan(all['用户总数'] ?? 0);
    expect(child['今日充值(USDT)']).toBe(1_000_000);
    expect(own['今日充值(USDT)']).toBe(2_000_000);
    expect(all['今日充值(USDT)']).toBe(5_000_000);
  });
});

describe('agent/state changes only agents below the operator', () => {
  const setAbility = (id: number, token: string, type = 3) =>
    call(server, 'POST', 'agent/state', { id, type, state: 1 }, { token });

  test('not the operator itself and no agent above', async () => {
    const { own, parent } = world.places;
    expect(await setAbility(own.agent.id, own.agent.token)).toMatchObject({ code: 404 });
    expect(await setAbility(parent.agent.id, own.agent.token)).toMatchObject({ code: 404 });
  });

  test('not an ability that the operator lacks or that only the admin grants', async () => {
    const { own, child } = world.places;
    expect(await setAbility(child.agent.id, own.agent.token, 13)).toMatchObject({ code: 403 });
    expect(await setAbility(child.agent.id, own.agent.token, 12)).toMatchObject({ code: 403 });
  });
});

test('a malformed key is checked before the ability', async () => {
  const { token } = world.places.child.agent;
  const response = await call(server, 'POST', 'withdraw/pass', { id: 1 }, { token, key: 'ä key' });
  expect(response).toMatchObject({ code: 422, data: [{ field: 'idempotency-key' }] });
});

test('a wrong combination of fields is checked before the ability', async () => {
  const { token } = world.places.child.agent;
  const response = await call(server, 'POST', 'withdraw/resolve', { id: 1, paid: true, reason: 'paid' }, { token });
  expect(response).toMatchObject({ code: 422, data: [{ field: 'txHash' }] });
});

/** Kinds of records that need full scope, which is asked for before the record. No operator of the table has it. */
const HOUSE_TARGETS: readonly string[] = ['walletItem', 'walletTransfer'];

/** Codes that follow from the contract alone. They guard against a wrong row in the table. */
function requiredCodes({ call: spec }: Line): Partial<Codes> {
  const order: Partial<Codes> = spec.public
    ? { malformed: '422', 'stranger+malformed': '422' }
    : { stranger: '400', forged: '400', 'stranger+malformed': '400', malformed: '422', 'unable+malformed': '422' };
  const ability: Partial<Codes> = spec.ability === undefined ? {} : { unable: '403' };
  if (HOUSE_TARGETS.includes(spec.target ?? '')) return { ...order, ...ability, own: '403' };
  if (spec.target) {
    const outside = spec.bulk ? '200:404' : '404';
    const places = { sibling: outside, other: outside, parent: outside, absent: outside } as const;
    return { ...order, ...ability, ...places, ...(spec.ability === undefined ? {} : { 'unable+absent': '403' }) };
  }
  const filtersByAccount = spec.list?.filters.some(
    ({ kind, field }) => kind === 'agent' || kind === 'subtree' || field === 'account',
  );
  const searched: Partial<Codes> = filtersByAccount
    ? { sibling: '200 empty', other: '200 empty', parent: '200 empty', absent: '200 empty' }
    : {};
  return { ...order, ...ability, ...searched };
}

function printTable(): void {
  const width = Math.max(...lines.map(({ name }) => name.length));
  const columns = COLUMNS.map((column) => ({ column, width: Math.max(column.length, 9) }));
  const formatLine = (first: string, cell: (column: (typeof COLUMNS)[number]) => string): string =>
    [first.padEnd(width), ...columns.map(({ column, width: wide }) => cell(column).padEnd(wide))].join('  ').trimEnd();
  const table = [
    formatLine('', (column) => column),
    ...lines.map(({ name }) => formatLine(name, (column) => result.received.get(name)?.[column] ?? '-')),
  ];
  process.stdout.write(`\n${table.join('\n')}\n\n`);
}
