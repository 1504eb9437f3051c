/**
 * Cost of abandoned connections for other users: 300 with an unfinished body and 1,000 idle ones, while readers request lists.
 * Limit: the same lists in the same run without them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { BUILT_SERVER, fetchToken, startServer } from './lib/child.ts';
import { ADMIN } from './lib/database.ts';
import { request } from './lib/http.ts';
import { loadLists } from './lib/list-data.ts';
import { type LoadMeasurement, runLoad, median, medianOf } from './lib/load.ts';
import { bench, runInterleaved, ensure, scaleCount } from './lib/run.ts';

const READERS = 4;
/** Shorter than the server's timeout for a body, so that all connections stay open. */
const ROUND_MS = scaleCount(8_000);
const UNFINISHED = scaleCount(300, 10);
const IDLE = scaleCount(1_000, 10);
/** Below the server's limit per address, which must not affect the measurement. */
const UNFINISHED_PER_ADDRESS = 50;
const BODY_BYTES = 60_000;

ensure(existsSync(BUILT_SERVER), 'there is no built server: npm run build first');
await bench('connections', async (database) => {
  await loadLists(database);
  const server = await startServer(database, {}, BUILT_SERVER);
  try {
    const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
    const read = () => readLists(server.port, server.pid, token);
    await read();
    const [alone, withConnections]: [Reading[], Reading[]] = [[], []];
    await runInterleaved([
      async () => void alone.push(await read()),
      async () => {
        const sockets = await openAll(server.port, token);
        try {
          withConnections.push(await read());
          ensure(
            sockets.every((socket) => !socket.destroyed),
            'the server closed a connection before the end of the round',
          );
        } finally {
          for (const socket of sockets) socket.destroy();
        }
      },
    ]);
    const [quiet, crowded] = [medianOf(alone), medianOf(withConnections)];
    const [before, during] = [median(alone.map(({ peak }) => peak)), median(withConnections.map(({ peak }) => peak))];
    const load = `${UNFINISHED} unfinished bodies, ${IDLE} idle connections`;
    return [
      {
        name: 'list p99, connections held open',
        unit: 'ms',
        ours: crowded.p99,
        limit: quiet.p99,
        against: 'the same lists alone',
        goal: '≤ 2.00',
        detail: `${load}; p50 ${crowded.p50.toFixed(1)} ms, alone ${quiet.p50.toFixed(1)} ms`,
      },
      {
        name: 'memory, connections held open',
        unit: 'MB',
        ours: during,
        limit: before,
        against: 'the same lists alone',
        goal: '≤ 30 MB more',
        detail: `${(during - before).toFixed(1)} MB more`,
      },
    ];
  } finally {
    await server.stop();
  }
});

interface Reading extends LoadMeasurement {
  /** The server's peak memory in the round, MB. */
  peak: number;
}

async function readLists(port: number, pid: number, token: string): Promise<Reading> {
  const deadline = performance.now() + ROUND_MS;
  const page = request('GET', `${API_BASE}withdraw/list?page=1&state=0`, { token, accept: 'application/json' });
  let peak = memoryOf(pid);
  const timer = setInterval(() => (peak = Math.max(peak, memoryOf(pid))), 100);
  const measured = await runLoad({
    port,
    connections: READERS,
    next: () => (performance.now() > deadline ? undefined : page),
    check: ({ status, body }) => ensure(status === 200 && body.startsWith('{"code":200,'), body.slice(0, 300)),
  }).finally(() => clearInterval(timer));
  return { ...measured, peak };
}

/** Resident memory of a process in MB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

async function openAll(port: number, token: string): Promise<Socket[]> {
  const idle = Array.from({ length: IDLE }, () => open(port, '127.0.0.1', ''));
  const bodyStart = `{"remark":"${'x'.repeat(BODY_BYTES / 2)}`;
  const head = request('POST', `${API_BASE}preference/save`, { token }, '').replace(
    /content-length: *\d+/i,
    `content-length: ${BODY_BYTES}`,
  );
  const unfinished = Array.from({ length: UNFINISHED }, (_, n) =>
    open(port, `127.0.1.${1 + Math.floor(n / UNFINISHED_PER_ADDRESS)}`, head + bodyStart),
  );
  return Promise.all([...idle, ...unfinished]);
}

function open(port: number, from: string, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', reject);
    socket.once('connect', () => socket.write(text, () => resolve(socket)));
  });
}
