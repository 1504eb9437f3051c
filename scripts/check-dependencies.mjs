// npm run check: checks licence, origin, version, install script and engine of every dependency from the lock files.
// npm run licenses: lists the packages of a production install.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './tools.mjs';

await ensureInstalled();
// These modules need installed packages.
const { findProblems, listPackages } = await import('./dependency-rules.mjs');
const { default: semver } = await import('semver');

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const main = read('package.json');
const lock = read('package-lock.json');
const minimumNode = semver.minVersion(main.engines.node).version;

const projects = [
  {
    lock,
    manifests: Object.fromEntries(
      ['package.json', ...main.workspaces.map((name) => `${name}/package.json`)].map((path) => [path, read(path)]),
    ),
    workspaces: main.workspaces,
    allowScripts: main.allowScripts,
    minimumNode,
  },
];
if (existsSync(join(root, 'bench/package-lock.json'))) {
  const manifests = { 'bench/package.json': read('bench/package.json') };
  // Only for benchmarks: installed with --ignore-scripts and never shipped.
  projects.push({ lock: read('bench/package-lock.json'), manifests, minimumNode, production: false });
}

if (process.argv.includes('--list')) {
  const shipped = listPackages(lock, main.workspaces).filter(({ isDevelopment }) => !isDevelopment);
  const width = Math.max(...shipped.map(({ name }) => name.length));
  for (const { name, version, licence } of shipped)
    console.log(`${name.padEnd(width)}  ${version.padEnd(15)}  ${licence}`);
} else {
  const problems = projects.flatMap(findProblems);
  for (const problem of problems) console.error(problem);
  const packages = projects.flatMap((project) => listPackages(project.lock, project.workspaces));
  const counts = new Map();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const licences = [...counts].sort((a, b) => b[1] - a[1]);
  const withoutHash = packages.filter(({ hasIntegrity }) => !hasIntegrity).length;
  console.log(`${packages.length} packages: ${licences.map(([licence, count]) => `${licence} ${count}`).join(', ')}`);
  if (withoutHash > 0) console.log(`${withoutHash} tools for other platforms have no integrity hash in the lock file`);
  console.log(`${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
