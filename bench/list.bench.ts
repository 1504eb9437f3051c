/**
 * Random pages of withdraw/list with exact total and sums per coin, over HTTP on 8 connections.
 * Limit: Fastify and pg with the same statements, without session, scope, transaction, row-level security, validation and
 * log. Second limit: the same statements by pgbench with 8 clients.
 */
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { PAGE_SIZE, type Page } from '@hengtai/contract/wire/list';
import type { BareConfig } from './lib/bare.ts';
import { type Recorder, type Statement, startRecorder } from './lib/capture.ts';
import { callOnce, fetchToken, startBare, startServer } from './lib/child.ts';
import { ADMIN, type BenchDatabase } from './lib/database.ts';
import { request } from './lib/http.ts';
import { type Viewer, loadLists } from './lib/list-data.ts';
import { type Load, type LoadMeasurement, runLoad, median, medianOf } from './lib/load.ts';
import { hasPgbench, pgbench } from './lib/pgbench.ts';
import type { Figure } from './lib/report.ts';
import { bench, runInterleaved, ensure, logProgress, scaleCount } from './lib/run.ts';
import { scriptOf, inlineValues } from './lib/template.ts';

const CONNECTIONS = 8;
const ROUND_MS = scaleCount(2_000);
/** Random pages recorded per list, which the load then repeats. */
const PAGES = 24;
const GOAL = '≥ 8,000/s';

/** A list of one viewer. */
interface Scene {
  name: string;
  total: number;
  pages: RecordedPage[];
}

interface RecordedPage {
  /** The request to the server, and the request to the baseline. */
  ours: string;
  bare: string;
  /** Expected number of rows. */
  rows: number;
  statements: Statement[];
}

await bench('list', async (database) => {
  const viewers = await loadLists(database);
  const server = await startServer(database);
  try {
    const scenes = await recordScenes(database, server.port, viewers);
    const pages = scenes.flatMap((scene) => scene.pages.map(({ statements }) => statements));
    const config: BareConfig = { url: database.ownerUrl, connections: CONNECTIONS, pages };
    const bare = await startBare(config);
    try {
      const ports = { ours: server.port, bare: bare.port };
      for (const scene of scenes) await verifyRows(scene, ports);
      const figures: Figure[] = [];
      for (const scene of scenes) figures.push(...(await measure(database, scene, ports)));
      return figures;
    } finally {
      await bare.stop();
    }
  } finally {
    await server.stop();
  }
});

async function recordScenes(database: BenchDatabase, port: number, viewers: readonly Viewer[]): Promise<Scene[]> {
  const recorder = await startRecorder(database);
  const scenes: Scene[] = [];
  let route = 0;
  try {
    for (const { name, account, rows, waiting } of viewers) {
      const token = await fetchToken(port, account, ADMIN.password);
      for (const [query, total] of [
        ['', rows],
        ['&state=0', waiting],
      ] as const) {
        const pages: RecordedPage[] = [];
        for (const page of drawPages(Math.ceil(total / PAGE_SIZE))) {
          pages.push(await recordPage(recorder, { token, query, total, page, route }));
          route += 1;
        }
        scenes.push({ name: `list, ${name}, ${total.toLocaleString('en')}${query && ' in review'}`, total, pages });
      }
    }
  } finally {
    await recorder.end();
  }
  return scenes;
}

/** Draws pages from 1 to `last`, including both. */
function drawPages(last: number): number[] {
  const random = Array.from({ length: PAGES }, () => 1 + Math.floor(Math.random() * last));
  return [...new Set([1, last, ...random])].slice(0, PAGES);
}

async function recordPage(
  recorder: Recorder,
  { token, query, total, page, route }: { token: string; query: string; total: number; page: number; route: number },
): Promise<RecordedPage> {
  const path = `${API_BASE}withdraw/list?page=${page}${query}`;
  const statements = await recorder.call('GET', path, { token });
  return {
    ours: request('GET', path, { token, accept: 'application/json' }),
    bare: request('GET', `/${route}`, { accept: 'application/json' }),
    rows: Math.min(PAGE_SIZE, total - (page - 1) * PAGE_SIZE),
    // Without begin and commit.
    statements: statements.slice(1, -1),
  };
}

interface Ports {
  ours: number;
  bare: number;
}

/** Throws unless both servers answer the same rows for every page, and the server the exact total. */
async function verifyRows(scene: Scene, ports: Ports): Promise<void> {
  const ids = (list: readonly { id: number | string }[]): string => list.map(({ id }) => Number(id)).join(' ');
  for (const page of scene.pages) {
    const ours = (await callOnce(ports.ours, page.ours)).data as Page<{ id: number }>;
    const bare = (await callOnce(ports.bare, page.bare)).data as { list: { id: string }[] };
    ensure(ours.list.length === page.rows && ours.total === scene.total, `a page of ${scene.name}`);
    ensure(ids(ours.list) === ids(bare.list), `the baseline answers other rows for ${scene.name}`);
  }
}

async function measure(database: BenchDatabase, scene: Scene, ports: Ports): Promise<Figure[]> {
  const [ours, bare, raw]: [LoadMeasurement[], LoadMeasurement[], number[]] = [[], [], []];
  const scripts = scene.pages.map(({ statements }) => ({
    text: scriptOf(
      [],
      statements.map((statement) => ({ text: inlineValues(statement) })),
    ),
  }));
  const rounds = (ms: number, tpsSeconds: number) => [
    async () => void ours.push(await runLoad(loadOf(scene, ports, 'ours', ms))),
    async () => void bare.push(await runLoad(loadOf(scene, ports, 'bare', ms))),
    async () => {
      const run = { url: database.ownerUrl, scripts, clients: CONNECTIONS, seconds: tpsSeconds };
      const tps = await pgbench(database, run);
      if (tps !== undefined) raw.push(tps);
    },
  ];
  for (const warmUp of rounds(ROUND_MS / 2, 1)) await warmUp();
  for (const results of [ours, bare, raw]) results.length = 0;
  await runInterleaved(rounds(ROUND_MS, Math.ceil(ROUND_MS / 1_000)));
  return figuresOf(scene, medianOf(ours), medianOf(bare), hasPgbench ? median(raw) : undefined);
}

/** Requests random pages for `ms` milliseconds. Every answer of the server must contain the exact total. */
function loadOf(scene: Scene, ports: Ports, target: 'ours' | 'bare', ms: number): Load {
  const deadline = performance.now() + ms;
  const expected = target === 'ours' ? `"total":${scene.total}` : '"list":[{';
  return {
    port: ports[target],
    connections: CONNECTIONS,
    next: () => {
      if (performance.now() > deadline) return undefined;
      return scene.pages[Math.floor(Math.random() * scene.pages.length)]?.[target];
    },
    check: ({ status, body }) => {
      ensure(status === 200 && body.startsWith('{"code":200,') && body.includes(expected), body.slice(0, 300));
    },
  };
}

function figuresOf(scene: Scene, ours: LoadMeasurement, bare: LoadMeasurement, raw: number | undefined): Figure[] {
  logProgress(`${scene.name}: ${Math.round(ours.perSecond)}/s`);
  const latency = ({ p50, p95 }: LoadMeasurement): string => `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`;
  const common = { name: scene.name, unit: 'pages/s', ours: ours.perSecond };
  const detail = `${latency(ours)}; limit ${latency(bare)}`;
  return [
    { ...common, limit: bare.perSecond, against: 'bare Fastify + pg', goal: GOAL, detail },
    { ...common, limit: raw, against: hasPgbench ? 'pgbench' : 'pgbench (not installed)' },
  ];
}
