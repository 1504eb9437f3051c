// Bundles the adapters: dist/peatio-adapter.mjs is a program, dist/hollaex-plugin.json the plugin to upload.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

/** The kit evaluates plugins in a context of their own, which lacks these names of Node.js. */
const NAMES = 'AbortController, AbortSignal, Buffer, Headers, URL, URLSearchParams, fetch, setTimeout, clearTimeout';
const banner = `const { ${NAMES} } = require('node:vm').runInThisContext('globalThis');`;

/** @returns the plugin in the form in which HollaEx Kit stores it */
export async function buildPlugin() {
  const options = {
    ...common,
    entryPoints: [here('src/hollaex/script.ts')],
    format: 'iife',
    minify: true,
    write: false,
  };
  const { outputFiles } = await build({ ...options, banner: { js: banner } });
  const config = JSON.parse(await readFile(here('src/hollaex/config.json'), 'utf8'));
  return { ...config, web_view: null, admin_view: null, script: outputFiles[0].text };
}

export const buildPeatioAdapter = (outfile) =>
  build({ ...common, entryPoints: [here('src/peatio/main.ts')], format: 'esm', outfile });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(here('dist'), { recursive: true });
  await buildPeatioAdapter(here('dist/peatio-adapter.mjs'));
  await writeFile(here('dist/hollaex-plugin.json'), JSON.stringify(await buildPlugin(), null, 2));
}
