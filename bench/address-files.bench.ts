/**
 * Peak memory of the built server while it receives an address file of 200 MB, for each kind of file, compared with its memory
 * before. Limit: 100 MB more.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressImportDetail } from '@hengtai/contract/risk/address-list/schema';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import {
  type Entry,
  toCoinList,
  toFtmJson,
  toSdnAdvancedXml,
  toSdnCsv,
  toSdnEnhancedXml,
  toSdnXml,
  toSimpleCsv,
  toUkCsv,
} from '../testing/official-lists.ts';
import { BUILT_SERVER, fetchToken, startServer } from './lib/child.ts';
import { ADMIN } from './lib/database.ts';
import type { Figure } from './lib/report.ts';
import { bench, ensure, logProgress, scaleCount } from './lib/run.ts';

const MEGABYTE = 1024 * 1024;
const FILE_BYTES = scaleCount(199 * MEGABYTE);
const LIMIT_MB = 100;
/** Different addresses: nearly as many as a list may have. */
const ADDRESSES = 90_000;

const SAMPLES: readonly (readonly [string, (entries: readonly Entry[]) => string])[] = [
  ['sdn.csv', (entries) => toSdnCsv(entries).sdn],
  ['sdn.xml', toSdnXml],
  ['sdn_advanced.xml', toSdnAdvancedXml],
  ['sdn_enhanced.xml', toSdnEnhancedXml],
  ['UK-Sanctions-List.csv', toUkCsv],
  ['entities.ftm.json', toFtmJson],
  ['targets.simple.csv', toSimpleCsv],
  ['list.txt', (entries) => toCoinList(entries.flatMap(({ mentions }) => mentions.map(({ address }) => address)))],
  ['list.json', (entries) => JSON.stringify(entries.flatMap(({ mentions }) => mentions))],
];

const makeEntry = (_: unknown, index: number): Entry => ({
  number: 1_000_000 + index,
  mentions: [{ coin: 'ETH', address: `0x${(index % ADDRESSES).toString(16).padStart(40, '0')}` }],
});
const makeEntries = (length: number): Entry[] => Array.from({ length }, makeEntry);

function makeFile(make: (entries: readonly Entry[]) => string): Buffer {
  const perEntry = (make(makeEntries(2_000)).length - make(makeEntries(1_000)).length) / 1_000;
  return Buffer.from(make(makeEntries(Math.floor(FILE_BYTES / perEntry) - 1_000)));
}

ensure(existsSync(BUILT_SERVER), 'there is no built server: npm run build first');
await bench('address-files', async (database) => {
  const figures: Figure[] = [];
  for (const [fileName, make] of SAMPLES) {
    const file = makeFile(make);
    // Each file has a server of its own, so that none grows at the cost of another.
    const server = await startServer(database, {}, BUILT_SERVER);
    try {
      const token = await fetchToken(server.port, ADMIN.account, ADMIN.password);
      // The first upload loads code that stays in memory, so it is not measured.
      await upload(server.port, token, fileName, Buffer.from(make(makeEntries(3_000))));
      figures.push(await measure(server, token, fileName, file));
    } finally {
      await server.stop();
    }
  }
  return figures;
});

async function measure(
  { port, pid }: { port: number; pid: number },
  token: string,
  fileName: string,
  file: Buffer,
): Promise<Figure> {
  const before = memoryOf(pid, 'VmRSS');
  // Resets the peak that the kernel reports as `VmHWM`.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const start = performance.now();
  const { row } = await upload(port, token, fileName, file);
  const seconds = (performance.now() - start) / 1_000;
  const peak = memoryOf(pid, 'VmHWM');
  ensure(
    row.entries === Math.min(ADDRESSES, row.found) && row.asText === 0,
    `${fileName}: ${row.entries} addresses read`,
  );
  const size = (file.length / MEGABYTE).toFixed(0);
  logProgress(`${fileName}: ${size} MB, ${(peak - before).toFixed(0)} MB more, ${seconds.toFixed(0)} s`);
  return {
    name: `${fileName} of ${size} MB`,
    unit: 'MB',
    ours: peak - before,
    limit: LIMIT_MB,
    against: 'goal',
    goal: '≤ 1',
    detail: `${before.toFixed(0)} → ${peak.toFixed(0)} MB, ${row.found} mentions in ${seconds.toFixed(0)} s`,
  };
}

/** Memory of the process in megabytes: `VmRSS` is the current value, `VmHWM` the peak. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}

async function upload(port: number, token: string, fileName: string, file: Buffer): Promise<AddressImportDetail> {
  const query = new URLSearchParams({ list: '3', fileName, source: 'bench', publishedAt: '1' });
  const response = await fetch(`http://127.0.0.1:${port}${API_BASE}address_list/upload?${query}`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file),
  });
  const { code, msg, data } = (await response.json()) as Envelope<AddressImportDetail>;
  ensure(code === 200, `${fileName}: ${msg}`);
  return data;
}
