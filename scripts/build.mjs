// Bundles the server and the simulator with esbuild, and the console with Vite.
import { rmSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { bin, root, runNode } from './tools.mjs';

/** Installed packages stay outside the bundle; the contract is a room of this project and goes in. */
const rooms = {
  name: 'rooms',
  setup({ onResolve }) {
    onResolve({ filter: /^@hengtai\/contract\// }, ({ path }) => ({
      path: join(root, 'contract/src', `${path.slice('@hengtai/contract/'.length)}.ts`),
    }));
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};

async function bundle(room, entries) {
  const outdir = join(root, room, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, source]) => [name, join(root, room, 'src', source)]),
    ),
    outdir,
    bundle: true,
    // One flat directory: programs find each other beside themselves (see supervise.ts and embedded.ts).
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    plugins: [rooms],
    logLevel: 'warning',
  });
}

/** What is shorter travels in one packet anyway. */
const PACK_FROM = 1024;

/** Lays each text beside itself as small as it gets, once: packed for every browser anew it would be larger and slower. */
async function pack(directory) {
  const names = await readdir(directory, { recursive: true });
  const texts = names.filter((name) => /\.(js|css|html|svg)$/.test(name)).map((name) => join(directory, name));
  await Promise.all(
    texts.map(async (path) => {
      const text = await readFile(path);
      if (text.length < PACK_FROM) return;
      const hint = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params: hint }));
      await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
    }),
  );
}

await bundle('server', {
  main: 'main.ts',
  supervisor: 'supervisor/main.ts',
  'with-database': 'supervisor/with-database.ts',
  'postgres-guard': 'db/postgres-guard.ts',
  'audit-verify': 'audit/verify-cli.ts',
  'rollups-check': 'db/rollup-cli.ts',
  'seconds-check': 'second/second-check-cli.ts',
  backup: 'backup/backup-cli.ts',
  'export-writer': 'export/writer.ts',
  'operator-reset': 'session/reset-cli.ts',
  hasher: 'session/hasher.ts',
});
await bundle('simulator', { main: 'main.ts' });
process.exitCode = await runNode([bin('vite'), 'build'], { cwd: join(root, 'console') });
if (process.exitCode === 0) await pack(join(root, 'console/dist'));
