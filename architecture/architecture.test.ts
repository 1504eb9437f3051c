import { basename, dirname, join } from 'node:path';
import { nouns } from '@hengtai/contract/index';
import { describe, expect, test } from 'vitest';
import { code, files, importsOf, isTest, read, sources } from './files.ts';

/** The rules of docs/architecture.md, as tests: each names the lines that break it. */
const breaking = (paths: readonly string[], problem: (path: string) => string | false | undefined): string[] =>
  paths.flatMap((path) => {
    const found = problem(path);
    return found ? [`${path}: ${found}`] : [];
  });

const inWorkspace = (workspace: string) => sources.filter((path) => path.startsWith(`${workspace}/src/`));

describe('rooms', () => {
  test('the contract imports nothing but itself, the schema and the decimal library', () => {
    const broken = breaking(inWorkspace('contract'), (path) =>
      importsOf(path)
        .map(({ from }) => from)
        .find((from) => !from.startsWith('./') && from !== '@sinclair/typebox' && from !== 'decimal.js'),
    );
    expect(broken).toEqual([]);
  });

  // The linter says so too; a rule in one of its overrides would replace that one.
  test('money is calculated with one precision: only the decimal module imports the library', () => {
    const importing = code.filter((path) => /from '[^']*decimal\.js'|import\('decimal\.js'\)/.test(read(path)));
    expect(importing.filter((path) => path !== 'architecture/architecture.test.ts')).toEqual([
      'contract/src/decimal.ts',
    ]);
    expect(
      code.filter((path) => /\bDecimal\.(clone|set|config)\(/.test(read(path)) && !path.startsWith('architecture/')),
    ).toEqual([]);
  });

  test('what the browser takes from the contract holds no schema', () => {
    const plain = inWorkspace('contract').filter(
      (path) => !path.endsWith('.schema.ts') && !path.endsWith('/schema.ts'),
    );
    const broken = breaking(plain, (path) =>
      importsOf(path).some(({ from, typeOnly }) => !typeOnly && /schema|typebox/.test(from))
        ? 'imports a schema'
        : false,
    );
    const fromConsole = breaking(inWorkspace('console'), (path) =>
      importsOf(path).some(({ from, typeOnly }) => !typeOnly && /typebox|contract\/.*schema/.test(from))
        ? 'imports a schema'
        : false,
    );
    expect([...broken, ...fromConsole]).toEqual([]);
  });

  test('the console and the simulator know nothing of the server, and nobody of them', () => {
    const broken = breaking(sources, (path) => {
      const workspace = path.split('/')[0] ?? '';
      return importsOf(path)
        .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from) : from))
        .find((from) => /^(server|console|simulator)\//.test(from) && !from.startsWith(`${workspace}/`));
    });
    expect(broken).toEqual([]);
  });

  test('no service imports the service of another noun', () => {
    const services = inWorkspace('server').filter((path) => path.endsWith('.service.ts'));
    const broken = breaking(services, (path) =>
      importsOf(path)
        .map(({ from }) => join(dirname(path), from))
        .find((from) => from.endsWith('.service.ts') && dirname(from) !== dirname(path)),
    );
    expect(broken).toEqual([]);
  });

  test('SQL is written in stores, the database layer, the ledger and the audit chain', () => {
    const allowed =
      /\.store\.ts$|^server\/src\/(db|ledger|audit|jobs)\/|^server\/src\/http\/idempotency\.ts$|^server\/src\/(setup|app)\.ts$/;
    const broken = breaking(
      inWorkspace('server').filter((path) => !allowed.test(path)),
      (path) => /\bsql(<[^`]*>)?`/.test(read(path)) && 'writes SQL',
    );
    expect(broken).toEqual([]);
  });

  test('pages import no other page, and ui knows neither router nor calls', () => {
    const pages = inWorkspace('console').filter((path) => path.startsWith('console/src/pages/'));
    const broken = breaking(pages, (path) => {
      const own = path.split('/').slice(0, 4).join('/');
      return importsOf(path)
        .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from) : from))
        .find(
          (from) => from === 'react-router' || (from.startsWith('console/src/pages/') && !from.startsWith(`${own}/`)),
        );
    });
    const ui = inWorkspace('console').filter((path) => path.startsWith('console/src/ui/'));
    const knowing = breaking(ui, (path) =>
      importsOf(path)
        .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from) : from))
        .find((from) => from === 'react-router' || /^console\/src\/(api|shell|pages)\//.test(from)),
    );
    expect([...broken, ...knowing]).toEqual([]);
  });

  test('the environment is read in one place', () => {
    const reading = inWorkspace('server').filter(
      (path) => !/^server\/src\/(env|supervisor\/|db\/postmaster)/.test(path),
    );
    const broken = breaking(reading, (path) => /process\.env(?!\))/.test(read(path)) && 'reads process.env');
    expect(broken).toEqual([]);
  });
});

/** Modules whose name differs from the noun of their paths. */
const moduleNames: Readonly<Record<string, string>> = {
  second: 'binary-contract',
  auth: 'kyc',
  service: 'support',
  fund: 'ledger-entry',
  plan: 'price-protection',
  trade: 'spot',
};

describe('names', () => {
  test('files are kebab-case; PascalCase only for a component', () => {
    const broken = breaking(sources, (path) => {
      const name = basename(path).replace(/(\.(schema|routes|service|store|events|rules|test|jobs))*\.tsx?$/, '');
      if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return false;
      const component = path.endsWith('.tsx') && /^[A-Z][A-Za-z0-9]*$/.test(name);
      return component && new RegExp(`export (default )?(function|const|class) ${name}\\b`).test(read(path))
        ? false
        : 'name';
    });
    expect(broken).toEqual([]);
  });

  test('every noun of the contract has its file and its handlers', () => {
    const fileNames = Object.keys(nouns).map(
      (noun) => moduleNames[noun] ?? noun.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    const missing = fileNames.flatMap((noun) =>
      [`contract/src/${noun}.ts`, `contract/src/${noun}.schema.ts`, `server/src/${noun}/${noun}.routes.ts`].filter(
        (path) => !files.includes(path),
      ),
    );
    expect(missing).toEqual([]);
  });

  test('exports are named, and nothing only passes on', () => {
    const configs = /(config|e2e\/server|test\/cluster)\.ts$/;
    const broken = breaking(
      code.filter((path) => !configs.test(path)),
      (path) => /^export default|^export \* from/m.test(read(path)) && 'default export or barrel',
    );
    expect(broken).toEqual([]);
  });

  test('a class has its looks from one file, or two things that know nothing of each other look alike', () => {
    const where = new Map<string, Set<string>>();
    for (const path of files.filter((one) => /^console\/.*\.css$/.test(one))) {
      const rules = read(path).replaceAll(/\/\*.*?\*\//gs, '');
      for (const [, selectors = ''] of rules.matchAll(/(?:^|[{};])\s*([^{};@]+)\{/g)) {
        for (const selector of selectors.split(',')) {
          const name = /^\.([\w-]+)$/.exec(selector.trim())?.[1];
          if (name) where.set(name, (where.get(name) ?? new Set()).add(path));
        }
      }
    }
    expect(where.size).toBeGreaterThan(100);
    expect([...where].filter(([, paths]) => paths.size > 1)).toEqual([]);
  });

  test('migrations are numbered without a gap', () => {
    const numbers = files
      .filter((path) => /^server\/migrations\/.*\.sql$/.test(path))
      .map((path) => Number(basename(path).slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe('sizes and words', () => {
  test('a file stops at 300 lines', () => {
    // A table of columns is read as a table, however long.
    const exempt = ['server/src/db/tables.ts'];
    const long = breaking(
      sources.filter((path) => !exempt.includes(path)),
      (path) => {
        const lines = read(path).split('\n').length - 1;
        return lines > 300 && `${lines} lines`;
      },
    );
    expect(long).toEqual([]);
  });

  test('nothing is left half done or switched off', () => {
    const own = code.filter((path) => !path.startsWith('architecture/'));
    const marks =
      /\b(TODO|FIXME|XXX|HACK)\b|\.(only|skip|todo)\(|@ts-(ignore|expect-error|nocheck)|eslint-disable|oxlint-disable(?!-next-line [\w-]+(\/[\w-]+)?$)/m;
    expect(breaking(own, (path) => marks.exec(read(path))?.[0])).toEqual([]);
  });

  test('every test asserts something', () => {
    const tests = code.filter((path) => isTest(path) && /\.(test|e2e)\.tsx?$/.test(path));
    expect(breaking(tests, (path) => !/\bexpect\b|\bassert\b/.test(read(path)) && 'no assertion')).toEqual([]);
  });

  test('only what a person keeps is in the repository', () => {
    const stray = files.filter((path) =>
      /(^|\/)(node_modules|dist|test-results)\/|\.(log|tmp|orig|rej|bak)$|(^|\/)\.DS_Store$/.test(path),
    );
    expect(stray).toEqual([]);
  });
});
