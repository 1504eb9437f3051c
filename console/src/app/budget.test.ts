import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { isBuilt } from '../../../scripts/build-state.mjs';

interface Chunk {
  file: string;
  imports?: string[];
}

/** Entries that every page loads. */
const DESK = ['index.html', 'src/app/desk.tsx'];

type Manifest = Record<string, Chunk>;

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
let manifest: Manifest = {};

/** Script files that must be loaded before these entries can run. */
function scriptFiles(entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the manifest`);
    chunk.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return [...seen].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js'));
}

const gzipKb = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(dist + file), { level: 9 }).length, 0) / 1024;

beforeAll(() => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  if (!isBuilt(root)) throw new Error('The build is older than the sources: run npm run build.');
  manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8')) as Manifest;
});

test.each([
  ['login', 10, ['login.html']],
  ['home', 276, [...DESK, 'src/domains/desk/home/HomePage.tsx']],
  ['withdraw', 401, [...DESK, 'src/domains/funds/withdraw/WithdrawPage.tsx']],
  ['user', 395, [...DESK, 'src/domains/people/user/UserPage.tsx']],
  ['approval', 398, [...DESK, 'src/domains/desk/approval/ApprovalPage.tsx']],
  ['audit', 398, [...DESK, 'src/domains/house/audit/AuditPage.tsx']],
  ['market form', 379, [...DESK, 'src/domains/trading/market/MarketFormPage.tsx']],
])('%s loads at most %d kB of script', (_, limit, entries) => {
  expect(gzipKb(scriptFiles(entries))).toBeLessThanOrEqual(limit);
});

test('no page loads more than twenty script files', () => {
  const pages = Object.keys(manifest).filter((name) => /^src\/domains\/.*Page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(20);
  const counted = pages.map((page) => [page, scriptFiles([...DESK, page]).length] as const);
  expect(counted.filter(([, count]) => count > 20)).toEqual([]);
});

test('no bundle contains a schema', () => {
  for (const { file } of Object.values(manifest)) {
    if (file.endsWith('.js')) expect(readFileSync(dist + file, 'utf8')).not.toContain('TypeBox.Kind');
  }
});
