// npm run build [-- --force]: bundles the server, the simulator and the signing page with esbuild, and the console with
// Vite, unless the build is up to date. Leaves the stamp that `npm start` looks for.
import { rmSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildSigningPage } from './build-signing.mjs';
import { isBuilt, removeStamp, sourceHash, writeStamp } from './build-state.mjs';
import { showSteps } from './steps.mjs';
import { bin, ensureInstalled, refuseUnderService, root, runNode } from './tools.mjs';

const contract = {
  name: 'contract',
  setup({ onResolve }) {
    onResolve({ filter: /^@hengtai\/contract\// }, ({ path }) => ({
      path: join(root, 'contract/src', `${path.slice('@hengtai/contract/'.length)}.ts`),
    }));
  },
};

/** Packages that find files of their own: native code, and the worker threads of pino. */
const UNBUNDLED = ['@napi-rs/image', '@node-rs/argon2', 'pino'];

/** Starts each file, because packages in CommonJS load modules of Node.js by `require`. */
const REQUIRE =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

async function bundle(workspace, entries) {
  const { build } = await import('esbuild');
  const outdir = join(root, workspace, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, source]) => [name, join(root, workspace, 'src', source)]),
    ),
    outdir,
    bundle: true,
    // One flat directory, because programs start each other from their own folder (supervise.ts, embedded.ts).
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Node.js reads the map of every module at its start. The sources are in the checkout.
    sourcemap: true,
    sourcesContent: false,
    plugins: [contract],
    // Installed packages are bundled, because loading their 700 files takes half of the start.
    external: UNBUNDLED,
    banner: { js: REQUIRE },
    logLevel: 'warning',
  });
}

/** Minimum bytes to compress: a shorter file fits into one packet anyway. */
const PACK_FROM = 1024;

/** Writes compressed copies of each text file. Compressing once allows a better ratio than per request. */
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

const serverPrograms = {
  hengtai: 'cli/hengtai.ts',
  main: 'programs/main.ts',
  'postgres-guard': 'embedded/postgres-guard.ts',
  'export-writer': 'books/exports/writer.ts',
  hasher: 'host/hasher.ts',
  'address-reader': 'domains/risk/address-list/address-reader.ts',
};

async function buildAll() {
  const steps = showSteps('Building', '正在构建', 4);
  steps.next('server');
  await bundle('server', serverPrograms);
  steps.next('simulator');
  await bundle('simulator', { main: 'main.ts' });
  steps.next('console');
  // Piped, because on a terminal Vite would erase the bar.
  const stdio = ['inherit', 'pipe', 'pipe'];
  // A test that builds would otherwise get the development build of React, a quarter larger.
  const env = { ...process.env, NODE_ENV: 'production' };
  const code = await runNode([bin('vite'), 'build', '--logLevel', 'warn'], { cwd: join(root, 'console'), stdio, env });
  if (code !== 0) {
    steps.end();
    return code;
  }
  await buildSigningPage(join(root, 'console/dist/signing'));
  steps.next('compression');
  await pack(join(root, 'console/dist'));
  steps.end();
  return 0;
}

const isForced = process.argv.includes('--force');
if (!isForced && isBuilt(root)) {
  await ensureInstalled({ development: false });
  console.log('The build is up to date. 构建已是最新。');
} else {
  refuseUnderService(isForced ? 'build is to be replaced' : 'build is older than its sources');
  await ensureInstalled();
  const hash = sourceHash(root);
  removeStamp(root);
  process.exitCode = await buildAll();
  if (process.exitCode === 0) writeStamp(root, hash);
}
