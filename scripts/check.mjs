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
  lint: () => runNode([bin('oxlint')]),
  format: () => runNode([bin('oxfmt'), '--check']),
  dependencies: () => runNode(['scripts/check-dependencies.mjs']),
  commits: () => runNode(['scripts/commit-subjects.mjs']),
};

export async function check() {
  const results = [];
  for (const [name, work] of Object.entries(checks)) {
    console.log(`— ${name}`);
    results.push({ name, passed: (await work()) === 0 });
  }
  for (const { name, passed } of results) console.log(`${passed ? 'passed' : 'FAILED'}  ${name}`);
  return results;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled();
  process.exitCode = (await check()).every(({ passed }) => passed) ? 0 : 1;
}
