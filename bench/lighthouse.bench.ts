/**
 * Lighthouse's marks for a first load: the login on a phone, the home page and two lists at a desk, in Chromium against the built
 * product with the simulator's rows in it. Limits are the console's promises, each a median. Needs `npm run build`; Lighthouse
 * is installed by `npm run bench`.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { admin, startInstallation } from '../console/e2e/server.ts';
import { atWorkIn, openProfile } from './lib/browser.ts';
import { freePort, sessionOf } from './lib/child.ts';
import { median } from './lib/load.ts';
import { type Figure, report } from './lib/report.ts';
import { say, scaled } from './lib/run.ts';

const PROGRAM = fileURLToPath(new URL('./node_modules/lighthouse/cli/index.js', import.meta.url));
const ROUNDS = scaled(5, 1);

interface Place {
  name: string;
  path: string;
  device: 'phone' | 'desk';
  performance: number;
}

const LOGIN: Place = { name: 'login, phone', path: '/login', device: 'phone', performance: 95 };
const PLACES: readonly Place[] = [
  { name: 'home', path: '/home', device: 'desk', performance: 98 },
  { name: 'list of users', path: '/user', device: 'desk', performance: 98 },
  { name: 'list of withdrawals', path: '/withdraw', device: 'desk', performance: 98 },
];

interface Marks {
  performance: number;
  accessibility: number;
  blocked: number;
  paint: number;
}

if (existsSync(PROGRAM)) await measured();
else say('Lighthouse is not installed.');

async function measured(): Promise<void> {
  say('lighthouse');
  const { url, stop } = await startInstallation({ SIMULATOR: 'on', SIMULATOR_USERS: '220', SIMULATOR_DAYS: '10' });
  const profile = mkdtempSync(join(tmpdir(), 'hengtai-lighthouse-'));
  try {
    const port = await freePort();
    const context = await openProfile(profile, port);
    try {
      const figures = await figuresOf(url, port, LOGIN);
      await atWorkIn(context, await sessionOf(Number(new URL(url).port), admin));
      for (const place of PLACES) figures.push(...(await figuresOf(url, port, place)));
      report(figures);
    } finally {
      await context.close();
    }
  } finally {
    await stop();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function figuresOf(url: string, port: number, place: Place): Promise<Figure[]> {
  const rounds: Marks[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await marksOf(`${url}${place.path}`, port, place.device));
  const of = (key: keyof Marks): number => median(rounds.map((marks) => marks[key]));
  const detail = `blocked ${of('blocked').toFixed(0)} ms, largest paint ${of('paint').toFixed(0)} ms`;
  const common = { unit: '', against: 'promise', goal: '≥ 1.00' };
  return [
    { ...common, name: `Lighthouse, ${place.name}`, ours: of('performance'), limit: place.performance, detail },
    { ...common, name: `Lighthouse, ${place.name}: accessibility`, ours: of('accessibility'), limit: 100 },
  ];
}

async function marksOf(address: string, port: number, device: Place['device']): Promise<Marks> {
  const args = [
    PROGRAM, address, `--port=${port}`, '--output=json', '--output-path=stdout', '--quiet', '--no-enable-error-reporting',
    '--only-categories=performance,accessibility', ...(device === 'desk' ? ['--preset=desktop'] : []),
  ]; // prettier-ignore
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 256 * 1024 * 1024 });
  const { categories, audits, finalDisplayedUrl } = JSON.parse(stdout) as {
    categories: Record<'performance' | 'accessibility', { score: number }>;
    audits: Record<'total-blocking-time' | 'largest-contentful-paint', { numericValue: number }>;
    finalDisplayedUrl: string;
  };
  if (!finalDisplayedUrl.startsWith(address)) throw new Error(`${finalDisplayedUrl} was shown instead of ${address}`);
  return {
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    blocked: audits['total-blocking-time'].numericValue,
    paint: audits['largest-contentful-paint'].numericValue,
  };
}
