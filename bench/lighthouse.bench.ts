/**
 * Lighthouse scores of a first load in Chromium against the build with simulated data: the login on a phone, the home page and
 * two lists on a desktop. Figures are medians, limits the console's targets. Needs `npm run build`; `npm run bench` installs
 * Lighthouse.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { admin, startInstallation } from '../console/e2e/server.ts';
import { logInContext, openProfile } from './lib/browser.ts';
import { findFreePort, logIn } from './lib/child.ts';
import { median } from './lib/load.ts';
import { type Figure, report } from './lib/report.ts';
import { logProgress, scaleCount } from './lib/run.ts';

const PROGRAM = fileURLToPath(new URL('./node_modules/lighthouse/cli/index.js', import.meta.url));
const ROUNDS = scaleCount(5, 1);

interface TestedPage {
  name: string;
  path: string;
  device: 'phone' | 'desk';
  performance: number;
}

const LOGIN: TestedPage = { name: 'login, phone', path: '/login', device: 'phone', performance: 95 };
const PAGES: readonly TestedPage[] = [
  { name: 'home', path: '/home', device: 'desk', performance: 98 },
  { name: 'list of users', path: '/user', device: 'desk', performance: 98 },
  { name: 'list of withdrawals', path: '/withdraw', device: 'desk', performance: 98 },
];

interface Scores {
  performance: number;
  accessibility: number;
  blocked: number;
  paint: number;
}

if (existsSync(PROGRAM)) await measureAll();
else logProgress('Lighthouse is not installed: run npm run bench.');

async function measureAll(): Promise<void> {
  logProgress('lighthouse');
  const { url, stop } = await startInstallation({ SIMULATOR: 'on', SIMULATOR_USERS: '220', SIMULATOR_DAYS: '10' });
  const profile = mkdtempSync(join(tmpdir(), 'hengtai-lighthouse-'));
  try {
    const port = await findFreePort();
    const context = await openProfile(profile, port);
    try {
      const figures = await figuresOf(url, port, LOGIN);
      await logInContext(context, await logIn(Number(new URL(url).port), admin));
      for (const page of PAGES) figures.push(...(await figuresOf(url, port, page)));
      report(figures);
    } finally {
      await context.close();
    }
  } finally {
    await stop();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function figuresOf(url: string, port: number, page: TestedPage): Promise<Figure[]> {
  const rounds: Scores[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(await runLighthouse(`${url}${page.path}`, port, page.device));
  const medianOf = (key: keyof Scores): number => median(rounds.map((scores) => scores[key]));
  const detail = `blocked ${medianOf('blocked').toFixed(0)} ms, largest paint ${medianOf('paint').toFixed(0)} ms`;
  const common = { unit: '', against: 'target', goal: '≥ 1.00' };
  return [
    { ...common, name: `Lighthouse, ${page.name}`, ours: medianOf('performance'), limit: page.performance, detail },
    { ...common, name: `Lighthouse, ${page.name}: accessibility`, ours: medianOf('accessibility'), limit: 100 },
  ];
}

async function runLighthouse(address: string, port: number, device: TestedPage['device']): Promise<Scores> {
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
  if (!finalDisplayedUrl.startsWith(address))
    throw new Error(`Lighthouse measured ${finalDisplayedUrl} instead of ${address}`);
  return {
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    blocked: audits['total-blocking-time'].numericValue,
    paint: audits['largest-contentful-paint'].numericValue,
  };
}
