// Keeps a PostgreSQL for several test runs: prints its URL, and stops it when the input ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../src/embedded/embedded.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'hengtai-kept-'));
const cluster = await startEmbedded({
  dataDir,
  isThrowaway: true,
  log: (message) => process.stderr.write(`${message}\n`),
});
process.stdout.write(`${cluster.url}\n`);
process.stdin.resume().once('end', () => {
  void cluster.stop().then(() => rmSync(dataDir, { recursive: true, force: true }));
});
