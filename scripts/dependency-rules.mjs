// The rules for dependencies. They read only manifests and lock files, neither the network nor node_modules.
import semver from 'semver';
import parseLicence from 'spdx-expression-parse';

const REGISTRY = 'https://registry.npmjs.org/';

/** Permissive licences: they do not require publishing the source of software that uses the package. */
const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
]);

/** Allowed development packages with another licence. Shipped packages have no exceptions. */
const EXCEPTIONS = [
  { name: /^axe-core$/, licence: 'MPL-2.0', reason: 'accessibility tests, never shipped' },
  { name: /^lightningcss(-|$)/, licence: 'MPL-2.0', reason: 'CSS compiler of the build, never shipped' },
  { name: /^spdx-exceptions$/, licence: 'CC-BY-3.0', reason: 'data for the licence check, never shipped' },
  {
    name: /^parse-cache-control$/,
    licence: undefined,
    reason: 'benchmarks only; its LICENSE file is BSD-3-Clause, its manifest names none',
  },
];

const PINNED_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'];

/** The problems of a lock file and its manifests, one text per problem. */
export function findProblems({ lock, manifests, workspaces = [], allowScripts = {}, minimumNode, production = true }) {
  return [
    ...Object.entries(manifests).flatMap(([path, manifest]) => findUnpinned(path, manifest)),
    ...Object.entries(lock.packages).flatMap(([path, entry]) => {
      if (isOwn(path, entry, workspaces)) return [];
      const isShipped = production && !entry.dev && !entry.devOptional;
      const problems = [
        licenceProblem(nameOf(path), entry, isShipped),
        sourceProblem(path, entry),
        integrityProblem(entry),
        scriptProblem(nameOf(path), entry, allowScripts),
        isShipped ? engineProblem(entry, minimumNode) : undefined,
      ];
      return problems.filter(Boolean).map((problem) => `${nameOf(path)}@${entry.version}: ${problem}`);
    }),
  ];
}

/** The packages of a lock file except workspaces, with their declared licences. */
export function listPackages(lock, workspaces = []) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => !isOwn(path, entry, workspaces))
    .map(([path, entry]) => ({
      name: nameOf(path),
      version: entry.version,
      licence: entry.license ?? 'not named',
      isDevelopment: Boolean(entry.dev || entry.devOptional),
      hasIntegrity: entry.integrity !== undefined,
    }))
    .sort((a, b) => a.name.localeCompare(b.name) || semver.compare(a.version, b.version));
}

/** Whether an entry is the root, a workspace, or a link to a workspace. */
function isOwn(path, entry, workspaces) {
  return path === '' || workspaces.includes(entry.link ? entry.resolved : path);
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function findUnpinned(path, manifest) {
  return PINNED_FIELDS.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([, version]) => semver.valid(version) !== version)
      .map(([name, version]) => `${path}: ${field} "${name}" must be an exact version, not "${version}"`),
  );
}

function licenceProblem(name, { license }, isShipped) {
  const exception = EXCEPTIONS.find((one) => one.name.test(name) && one.licence === license);
  if (exception && !isShipped) return undefined;
  if (license === undefined) return 'names no licence';
  try {
    return isAllowed(parseLicence(license)) ? undefined : `licence ${license} is not on the allow list`;
  } catch {
    return `licence "${license}" is not an SPDX expression`;
  }
}

/** A `WITH` exception only adds permissions, so the licence before it decides. */
function isAllowed(expression) {
  if ('license' in expression) return ALLOWED_LICENCES.has(expression.license);
  const [left, right] = [isAllowed(expression.left), isAllowed(expression.right)];
  return expression.conjunction === 'and' ? left && right : left || right;
}

/** A missing `resolved` is allowed: npm may omit it for the default registry, depending on .npmrc. */
function sourceProblem(path, { resolved, link }) {
  if (link || !path.includes('node_modules/')) return `${resolved ?? path} is a folder and not a workspace`;
  if (resolved !== undefined && !resolved.startsWith(REGISTRY)) return `comes from ${resolved}, not from ${REGISTRY}`;
  return undefined;
}

/**
 * npm omits the hash of an optional package for another platform if it did not download it when it wrote the lock file. This
 * is accepted for development tools, not for shipped packages.
 */
function integrityProblem({ integrity, link, dev, optional, os }) {
  const isForeignTool = dev && optional && os !== undefined;
  return integrity || link || isForeignTool ? undefined : 'has no integrity hash in the lock file';
}

function scriptProblem(name, { hasInstallScript }, allowScripts) {
  return hasInstallScript && allowScripts[name] !== true
    ? 'runs an install script and is not named in allowScripts of package.json'
    : undefined;
}

function engineProblem({ engines }, minimumNode) {
  const range = engines?.node;
  return range === undefined || semver.satisfies(minimumNode, range)
    ? undefined
    : `needs Node.js ${range}, but the project supports ${minimumNode}`;
}
