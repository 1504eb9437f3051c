// Bundles the server and the simulator with esbuild, and the console with Vite.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
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
