import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { checkBook } from '../src/books/ledger/check.ts';
import { World } from './crash-world.ts';
import { nodeArguments } from '../../testing/program.ts';

export interface SoakOptions {
  ms: number;
  /** Number of kills, alternating between the server and the simulator. */
  kills: number;
  users: number;
  log: (line: string) => void;
}

export interface SoakReport {
  kills: number;
  orders: number;
  fills: number;
  cancelled: number;
  cancels: number;
  positions: number;
  closes: number;
  liquidations: number;
  /** Number of cancels and closes of positions that operators ordered. */
  ordered: number;
  /** Violated invariants; empty if everything is correct. */
  faults: string[];
}

/**
 * Runs the simulated exchange against the server, kills either of them repeatedly and orders some cancels. Finally it
 * checks the ledger, every hold, and whether the platform has the same balances.
 */
export async function runSoak({ ms, kills, users, log }: SoakOptions): Promise<SoakReport> {
  const world = await World.start({ simulated: true });
  const directory = mkdtempSync(join(tmpdir(), `hengtai-soak-${process.pid}-`));
  let exchange = startExchange(world, directory, users);
  try {
    await waitUntil(() => isPastSent(directory), 240_000, 'the simulator has not sent its history in time');
    const end = Date.now() + ms;
    let killCount = 0;
    while (Date.now() < end || killCount < kills) {
      await sleep(ms / (kills + 1));
      if (killCount >= kills) continue;
      await cancelSome(world);
      await closeSome(world);
      if (killCount % 2 === 0) await world.killServer();
      else {
        exchange.kill('SIGKILL');
        exchange = startExchange(world, directory, users);
      }
      killCount += 1;
      log(`kill ${killCount} of ${kills}`);
    }
    exchange.kill('SIGTERM');
    await new Promise((resolve) => exchange.once('close', resolve));
    // The simulator's balances already include its unsent events, so send them.
    const { queue = [] } = readState(directory) ?? {};
    for (let start = 0; start < queue.length; start += 500) await world.events(...queue.slice(start, start + 500));
    return { kills: killCount, ...(await countRecords(world)), faults: await findFaults(world, directory) };
  } finally {
    exchange.kill('SIGKILL');
    await world.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function startExchange(world: World, directory: string, users: number): ChildProcess {
  return spawn(process.execPath, nodeArguments('simulator/src/main.ts'), {
    env: {
      ...process.env,
      ...world.platform,
      DATA_DIR: directory,
      SIMULATOR_USERS: String(users),
      SIMULATOR_DAYS: '3',
      SIMULATOR_SPEED: '12',
      SIMULATOR_FAIL: '0.15',
      SIMULATOR_UNKNOWN: '0.1',
      SIMULATOR_LATE: '0.3',
    },
    stdio: 'ignore',
  });
}

interface SimulatorState {
  live: boolean;
  queue: { eventId: string; type: string; data: object }[];
  balances: Record<string, string>;
  positions: Record<string, { left: string; held: string }>;
}

function readState(directory: string): SimulatorState | undefined {
  const file = join(directory, 'simulator-state.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SimulatorState) : undefined;
}

const isPastSent = async (directory: string): Promise<boolean> => readState(directory)?.live === true;

/** Orders the cancel of some open orders as an operator. The exchange decides the result of each. */
async function cancelSome(world: World): Promise<void> {
  const { data } = await world.get<{ list: { id: number }[] }>('trade/order/list?unfinished=1&size=6');
  const ids = data.list.map(({ id }) => id);
  if (ids.length > 0) await world.post('trade/order/cancel/many', { ids });
}

/** Closes one position in part and some completely, and cancels some pending orders. */
async function closeSome(world: World): Promise<void> {
  const list = async (query: string) =>
    (await world.get<{ list: { id: number; left: string }[] }>(`future/order/list?size=4&${query}`)).data.list;
  const [pending, open] = [await list('state=0'), await list('state=1&sort=id')];
  if (pending.length > 0) await world.post('future/order/cancel/many', { ids: pending.map(({ id }) => id) });
  const [first, ...others] = open;
  if (others.length > 0) await world.post('future/order/close/many', { ids: others.map(({ id }) => id) });
  if (first) await world.post('future/order/close', { id: first.id, closeAmount: halfOf(first.left) });
}

const halfOf = (amount: string): string => new Decimal(amount).div(2).toDecimalPlaces(6, Decimal.ROUND_UP).toFixed();

type RecordCounts = Omit<SoakReport, 'kills' | 'faults'>;

async function countRecords(world: World): Promise<RecordCounts> {
  const { rows } = await sql<RecordCounts>`
    select (select count(*)::int from trade_order) as orders, (select count(*)::int from trade_fill) as fills,
      (select count(*)::int from trade_order where state = 3) as cancelled,
      (select count(*)::int from command where type = 'order.cancel') as cancels,
      (select count(*)::int from future_order) as positions, (select count(*)::int from future_close) as closes,
      (select count(*)::int from future_order where state = 4) as liquidations,
      (select count(*)::int from command where ref_type = 'future') as ordered`.execute(world.db);
  const [counts] = rows;
  if (!counts) throw new Error('nothing is counted');
  return counts;
}

async function findFaults(world: World, directory: string): Promise<string[]> {
  const faults = await checkBook(world.db);
  const { rows } = await sql<{ fault: string }>`
    select 'order ' || o.no || ' holds ' || o.frozen || ', its hold says ' || (h.amount - h.released) as fault
      from trade_order o join hold h on h.ref_type = 'trade' and h.ref_id = o.id where h.amount - h.released <> o.frozen
    union all
    select 'order ' || o.no || ' is filled ' || o.filled || ', its fills say ' || coalesce(f.amount, 0)
      from trade_order o left join (select order_id, sum(amount) as amount from trade_fill group by 1) f on f.order_id = o.id
      where o.filled <> coalesce(f.amount, 0)
    union all
    select 'order ' || o.no || ' has ended and has an open command' from trade_order o join command c
      on c.ref_type = 'trade' and c.ref_id = o.id where o.state in (2, 3) and c.state in (0, 1, 4)
    union all
    select 'position ' || o.no || ' holds ' || o.held || ', its hold says ' || coalesce(h.amount - h.released, 0)
      from future_order o left join hold h on h.ref_type = 'future' and h.ref_id = o.id
      where case o.demo when 1 then h.id is not null else o.held <> coalesce(h.amount - h.released, -1) end
    union all
    select 'position ' || o.no || ' is closed ' || o.close_amount || ', its closes say ' || coalesce(c.amount, 0)
      from future_order o
      left join (select order_id, sum(amount) as amount, sum(realized) as realized from future_close group by 1) c
        on c.order_id = o.id
      where o.close_amount <> coalesce(c.amount, 0) or o.realized <> coalesce(c.realized, 0)
    union all
    select 'position ' || o.no || ' is over and has an open command' from future_order o join command c
      on c.ref_type = 'future' and c.ref_id = o.id where o.state in (2, 3, 4) and c.state in (0, 1, 4)`.execute(
    world.db,
  );
  faults.push(...rows.map(({ fault }) => fault));
  return [
    ...faults,
    ...(await findBalanceDifferences(world, directory)),
    ...(await findPositionDifferences(world, directory)),
  ];
}

/** Differences of free balances on the spot and futures accounts between the platform and the ledger. */
async function findBalanceDifferences(world: World, directory: string): Promise<string[]> {
  const platformBalances = readState(directory)?.balances ?? {};
  const { rows } = await sql<{ name: string; balance: string }>`
    select u.account || '|' || m.market_name || '|' || a.platform as name, a.balance from account a join users u on u.id = a.user_id
    join market m on m.id = a.market_id where a.platform in (2, 3) and a.bucket = 'active' and a.balance <> 0`.execute(
    world.db,
  );
  const ledgerBalances = new Map(rows.map(({ name, balance }) => [name, balance]));
  const names = new Set([
    ...ledgerBalances.keys(),
    ...Object.keys(platformBalances).filter((key) => /\|[23]$/.test(key)),
  ]);
  return [...names]
    .filter((name) => (ledgerBalances.get(name) ?? '0') !== (platformBalances[name] ?? '0'))
    .map(
      (name) =>
        `${name}: the platform believes ${platformBalances[name] ?? '0'}, the ledger has ${ledgerBalances.get(name) ?? '0'}`,
    );
}

/** Positions that only one side knows, or that differ between the platform and the back office. */
async function findPositionDifferences(world: World, directory: string): Promise<string[]> {
  const positions = Object.entries(readState(directory)?.positions ?? {});
  const { rows } = await sql<{ no: string; left: string; held: string }>`
    select no, rest as "left", held from future_order where state in (0, 1, 5, 6)`.execute(world.db);
  const platform = new Map(positions.map(([no, { left, held }]) => [no, `${left} with ${held}`]));
  const backOffice = new Map(rows.map(({ no, left, held }) => [no, `${left} with ${held}`]));
  return [...new Set([...platform.keys(), ...backOffice.keys()])]
    .filter((no) => platform.get(no) !== backOffice.get(no))
    .map(
      (no) =>
        `${no}: the platform has ${platform.get(no) ?? 'nothing'}, the back office ${backOffice.get(no) ?? 'nothing'}`,
    );
}

async function waitUntil(condition: () => Promise<boolean>, ms: number, problem: string): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(problem);
    await sleep(250);
  }
}
