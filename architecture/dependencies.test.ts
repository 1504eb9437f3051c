import { describe, expect, test } from 'vitest';
import { findProblems, listPackages, type LockEntry, type Project } from '../scripts/dependency-rules.mjs';

const good: LockEntry = { version: '1.2.3', license: 'MIT', integrity: 'sha512-abc', engines: { node: '>=18' } };

/** A valid project with one workspace and one package, modified by `change`. */
function projectWith(change: LockEntry, path = 'node_modules/some-package'): Project {
  return {
    lock: {
      packages: {
        '': { version: '0.1.0' },
        server: { version: '0.1.0' },
        'node_modules/@own/server': { resolved: 'server', link: true },
        [path]: { ...good, ...change },
      },
    },
    manifests: { 'package.json': { dependencies: { 'some-package': '1.2.3' } } },
    workspaces: ['server'],
    allowScripts: { allowed: true },
    minimumNode: '20.19.0',
  };
}

const problemsOf = (change: LockEntry, path?: string): string[] => findProblems(projectWith(change, path));

describe('dependencies', () => {
  test('a valid package is accepted', () => {
    expect(problemsOf({})).toEqual([]);
    expect(listPackages(projectWith({}).lock, ['server'])).toEqual([
      { name: 'some-package', version: '1.2.3', licence: 'MIT', isDevelopment: false, hasIntegrity: true },
    ]);
  });

  test.each(['GPL-3.0-only', '(MIT AND GPL-3.0-only)', 'UNLICENSED', 'SEE LICENSE IN x', ''])(
    'the licence "%s" is refused',
    (license) => {
      expect(problemsOf({ license })).toEqual([expect.stringContaining(license)]);
    },
  );

  test.each(['(MIT OR GPL-3.0-only)', '(MIT AND Zlib)', '(Apache-2.0 AND (BSD-3-Clause OR MIT))'])(
    'the licence "%s" is accepted',
    (license) => {
      expect(problemsOf({ license })).toEqual([]);
    },
  );

  test('a package without a licence is refused', () => {
    const { license: _, ...unlicensed } = good;
    const project = projectWith({});
    project.lock.packages['node_modules/some-package'] = unlicensed;
    expect(findProblems(project)).toEqual([expect.stringContaining('names no licence')]);
  });

  test('a licence exception is valid for development packages only', () => {
    const path = 'node_modules/lightningcss';
    expect(problemsOf({ license: 'MPL-2.0', dev: true }, path)).toEqual([]);
    expect(problemsOf({ license: 'MPL-2.0' }, path)).toEqual([expect.stringContaining('MPL-2.0')]);
    expect(problemsOf({ license: 'GPL-2.0-only', dev: true }, path)).toEqual([expect.stringContaining('GPL-2.0-only')]);
  });

  test.each([
    'git+ssh://git@github.com/some/package.git#0123456',
    'http://registry.npmjs.org/some-package/-/some-package-1.2.3.tgz',
    'https://registry.npmjs.org.example.com/some-package-1.2.3.tgz',
    'file:../some-package-1.2.3.tgz',
  ])('the address %s is refused', (resolved) => {
    expect(problemsOf({ resolved })).toEqual([expect.stringContaining(resolved)]);
  });

  test('a link to a folder that is not a workspace is refused', () => {
    const link = problemsOf({ resolved: '../elsewhere', link: true });
    expect(link).toEqual([expect.stringContaining('not a workspace')]);
    expect(problemsOf({}, '../elsewhere')).toEqual([expect.stringContaining('not a workspace')]);
  });

  test('a package needs an integrity hash, except a development tool for another platform', () => {
    const problemsWithoutHash = (change: LockEntry): string[] => problemsOf({ integrity: '', ...change });
    const refused = [expect.stringContaining('integrity')];
    expect(problemsWithoutHash({})).toEqual(refused);
    expect(problemsWithoutHash({ dev: true })).toEqual(refused);
    expect(problemsWithoutHash({ optional: true, os: ['darwin'] })).toEqual(refused);
    expect(problemsWithoutHash({ dev: true, optional: true, os: ['darwin'] })).toEqual([]);
  });

  test.each(['^1.2.3', '~1.2.3', '1.x', '*', 'latest', 'git+https://example.com/some/package.git', ''])(
    'the version "%s" in a manifest is refused',
    (version) => {
      for (const field of ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'] as const) {
        const project = { ...projectWith({}), manifests: { 'server/package.json': { [field]: { some: version } } } };
        expect(findProblems(project)).toEqual([expect.stringContaining(`server/package.json: ${field} "some"`)]);
      }
    },
  );

  test('a package with an install script must be named in allowScripts', () => {
    expect(problemsOf({ hasInstallScript: true })).toEqual([expect.stringContaining('allowScripts')]);
    expect(problemsOf({ hasInstallScript: true }, 'node_modules/allowed')).toEqual([]);
  });

  test('a shipped package accepts the oldest supported Node.js; a development package need not', () => {
    const engines = { node: '>=22' };
    expect(problemsOf({ engines })).toEqual([expect.stringContaining('needs Node.js >=22')]);
    expect(problemsOf({ engines, dev: true })).toEqual([]);
    expect(findProblems({ ...projectWith({ engines }), production: false })).toEqual([]);
  });
});
