import { sql } from 'kysely';
import { type Db, openPool, runInScope } from '../src/database/connect.ts';
import { compareWallets } from '../src/domains/funds/wallet-coin/wallet-coin.jobs.ts';
import { judgeWallets } from '../src/domains/funds/wallet/reading.jobs.ts';
import { matchOpenMoves } from '../src/domains/funds/wallet/match.jobs.ts';
import { tronAddress } from './address.ts';
import { lines, runMatrix } from './matrix-run.ts';
import { PLACES, WORLD_PASSWORD, type World, makeWorld } from './matrix-world.ts';
import { type TestServer, apply, call, testServer } from './server.ts';

/** A world in which every kind of record exists, and access to its database as the app role. */
export interface RlsWorld {
  server: TestServer;
  world: World;
  /** Connection as the app role without any scope. */
  db: Db;
  /** Runs work with the scope of the own operator. */
  asOwn<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** Runs work with the scope of the system. */
  asSystem<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  fetchTables(): Promise<string[]>;
  close(): Promise<void>;
}

/** Wallets with readings, moves that were reverted, matched, wait or were not ordered, and a record without a move. */
async function sayAboutWallets(server: TestServer, account: string): Promise<void> {
  const place = { market: 'USDT', network: 'TRC20', address: tronAddress('own') };
  const move = { wallet: 'w', kind: 'deposit', amount: '1', txHash: 'hash' };
  const credit = { no: 'r', account, ...place, amount: '1', confirmations: 1, source: 1 };
  await apply(
    server,
    { type: 'wallet.saved', data: { wallet: 'w', kind: 'hot', ...place, state: 1 } },
    { type: 'wallet.saved', data: { wallet: 'w2', kind: 'cold', ...place, state: 1 } },
    { type: 'wallet.balance', data: { wallet: 'w', amount: '1' } },
    { type: 'chain.moved', data: { ...move, no: 'm1', txHash: 'first', fee: '0.5' } },
    { type: 'chain.reverted', data: { no: 'm1' } },
    { type: 'recharge.credited', data: credit },
    { type: 'chain.moved', data: { ...move, no: 'm2', record: 'r' } },
    { type: 'chain.moved', data: { ...move, no: 'm3', record: 'nobody' } },
    { type: 'chain.moved', data: { ...move, no: 'm4', kind: 'payout', amount: '-1' } },
    { type: 'recharge.credited', data: { ...credit, no: 'r2', amount: '2', txHash: 'other' } },
  );
  await server.query(sql`
    insert into wallet_transfer (platform_id, from_id, to_id, amount, reason, by_account, created_at, recorded_at, updated_at)
    select 1, f.id, w.id, 1, 'x', 'x', 1, 1, 1 from wallet f join wallet w on f.no = 'w' and w.no = 'w2'`);
  for (const run of [matchOpenMoves, judgeWallets, compareWallets]) await run(server.app);
  await server.query(
    sql`insert into chain_order (move_id, withdraw_id, attempt) select id, 1, 1 from chain_move where no = 'm1'`,
  );
}

export async function openRlsWorld(): Promise<RlsWorld> {
  const server = await testServer({ jobs: false });
  const world = await makeWorld(server);
  await runMatrix(world, lines, (_line, column) => column === 'own' || column === 'sibling');
  for (const place of PLACES) {
    const { canary, agent } = world.places[place];
    const input = { account: `${canary}.k`, password: WORLD_PASSWORD };
    await call(server, 'POST', 'agent/add', input, { token: agent.token, key: canary });
  }
  await sayAboutWallets(server, world.places.own.user.account);
  const { db, end } = openPool({ url: server.urls.app, max: 1, name: 'test-rls', onError: () => undefined });
  const { own, child } = world.places;
  return {
    server,
    world,
    db,
    asOwn: (work) => runInScope(db, { kind: 'agents', ids: [own.agent.id, child.agent.id] }, own.agent.id, work),
    asSystem: (work) => runInScope(db, { kind: 'all' }, 0, work),
    fetchTables: async () => {
      const rows = await server.query(sql<{ name: string }>`
        select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
      return rows.map(({ name }) => name);
    },
    close: async () => {
      await end();
      await server.stop();
    },
  };
}
