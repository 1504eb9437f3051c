// npm run check: types, lint, format, dependencies and commit subjects. test.mjs counts each check as a test.
import { pathToFileURL } from 'node:url';
import { bin, ensureInstalled, runNode } from './tools.mjs';

/** One program for all that runs in Node only, because most of its files are read by several workspaces. */
const projects = ['contract', 'tsconfig.node.json', 'console', 'clients/typescript', 'bench'];

async function types() {
  let code = 0;
  for (const project of projects) code = (await runNode([bin('typescript', 'tsc'), '--noEmit', '-p', project])) || code;
  return code;
}

const checks = {
  types,
  lint: ({ typedLint }) => runNode([bin('oxlint'), ...(typedLint ? ['--type-aware'] : [])]),
  format: () => runNode([bin('oxfmt'), '--check']),
  dependencies: () => runNode(['scripts/check-dependencies.mjs']),
  commits: () => runNode(['scripts/commit-subjects.mjs']),
};

/** @param options.typedLint whether lint also applies the rules that need types, which take most of its time */
export async function check(options) {
  const results = [];
  for (const [name, work] of Object.entries(checks)) {
    console.log(`— ${name}`);
    results.push({ name, passed: (await work(options)) === 0 });
  }
  for (const { name, passed } of results) console.log(`${passed ? 'passed' : 'FAILED'}  ${name}`);
  return results;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled();
  process.exitCode = (await check({ typedLint: true })).every(({ passed }) => passed) ? 0 : 1;
}
