import { basename, dirname, join } from 'node:path';
import { nouns } from '@hengtai/contract/index';
import { describe, expect, test } from 'vitest';
import { findCircle } from './circles.ts';
import { code, files, importsOf, isTest, read, sources } from './files.ts';

/** The rules of docs/architecture.md as tests. Lists the files that break a rule, each with its problem. */
const findViolations = (paths: readonly string[], problem: (path: string) => string | false | undefined): string[] =>
  paths.flatMap((path) => {
    const found = problem(path);
    return found ? [`${path}: ${found}`] : [];
  });

const sourcesOf = (workspace: string) => sources.filter((path) => path.startsWith(`${workspace}/src/`));

describe('layers', () => {
  test('the contract imports only itself, the schema library and the decimal library', () => {
    const isOwn = (path: string, from: string): boolean =>
      from.startsWith('.') && join(dirname(path), from).startsWith('contract/src/');
    const broken = findViolations(sourcesOf('contract'), (path) =>
      importsOf(path)
        .map(({ from }) => from)
        .find((from) => !isOwn(path, from) && from !== '@sinclair/typebox' && from !== 'decimal.js'),
    );
    expect(broken).toEqual([]);
  });

  test.each(['contract', 'simulator', 'drill', 'bench', 'testing', 'conformance', 'adapters', 'clients'])(
    'imports of %s have no circle, imports of types included',
    (folder) => {
      expect(findCircle(code.filter((path) => path.startsWith(`${folder}/`)))).toEqual([]);
    },
  );

  // The linter has the same rule, but one of its overrides could replace it.
  test('only the decimal module imports the decimal library, so that money has one precision', () => {
    const importing = code.filter((path) => /from '[^']*decimal\.js'|import\('decimal\.js'\)/.test(read(path)));
    expect(importing.filter((path) => path !== 'architecture/architecture.test.ts')).toEqual([
      'contract/src/values/decimal.ts',
    ]);
    expect(
      code.filter((path) => /\bDecimal\.(clone|set|config)\(/.test(read(path)) && !path.startsWith('architecture/')),
    ).toEqual([]);
  });

  test('the console imports no schema from the contract', () => {
    const plain = sourcesOf('contract').filter((path) => !path.endsWith('.schema.ts') && !path.endsWith('/schema.ts'));
    const broken = findViolations(plain, (path) =>
      importsOf(path).some(({ from, typeOnly }) => !typeOnly && /schema|typebox/.test(from))
        ? 'imports a schema'
        : false,
    );
    const fromConsole = findViolations(sourcesOf('console'), (path) =>
      importsOf(path).some(({ from, typeOnly }) => !typeOnly && /typebox|contract\/.*schema/.test(from))
        ? 'imports a schema'
        : false,
    );
    expect([...broken, ...fromConsole]).toEqual([]);
  });

  test('server, console and simulator do not import each other', () => {
    const broken = findViolations(sources, (path) => {
      const workspace = path.split('/')[0] ?? '';
      return importsOf(path)
        .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from) : from))
        .find((from) => /^(server|console|simulator)\//.test(from) && !from.startsWith(`${workspace}/`));
    });
    expect(broken).toEqual([]);
  });

  test('a client imports only itself and Node.js, and in production only the simulator imports it', () => {
    const client = sources.filter((path) => path.startsWith('clients/typescript/src/'));
    expect(client.length).toBeGreaterThan(3);
    const foreign = findViolations(client, (path) =>
      importsOf(path)
        .map(({ from }) => from)
        .find((from) => !from.startsWith('./') && !from.startsWith('node:')),
    );
    const using = findViolations(
      sources.filter((path) => !/^(clients|conformance|adapters|simulator)\//.test(path)),
      (path) =>
        importsOf(path)
          .map(({ from }) => (from.startsWith('.') ? join(dirname(path), from) : from))
          .find((from) => /^(clients|conformance|adapters)\/|platform-client/.test(from)),
    );
    expect([...foreign, ...using]).toEqual([]);
  });

  test('the conformance run knows the server only by its contract', () => {
    const broken = findViolations(sourcesOf('conformance'), (path) =>
      importsOf(path)
        .map(({ from }) => from)
        .find(
          (from) =>
            !/^(\.\/|node:|@hengtai\/contract\/|@sinclair\/typebox|@scure\/base|\.\.\/\.\.\/clients\/typescript\/)/.test(
              from,
            ),
        ),
    );
    expect(broken).toEqual([]);
  });

  test('an adapter knows the product only by the TypeScript client', () => {
    const adapters = sourcesOf('adapters');
    expect(adapters.length).toBeGreaterThan(10);
    const broken = findViolations(adapters, (path) =>
      importsOf(path)
        .map(({ from }) => from)
        .find((from) => !/^(\.\.?\/(?!\.\.)|node:|@cloudamqp\/|\.\.\/\.\.\/\.\.\/clients\/typescript\/)/.test(from)),
    );
    expect(broken).toEqual([]);
  });

  test('no service imports the service of another noun', () => {
    const services = sourcesOf('server').filter((path) => path.endsWith('.service.ts'));
    const broken = findViolations(services, (path) =>
      importsOf(path)
        .map(({ from }) => join(dirname(path), from))
        .find((from) => from.endsWith('.service.ts') && dirname(from) !== dirname(path)),
    );
    expect(broken).toEqual([]);
  });

  test('SQL is only in stores, the database layer, lists, the ledger, the audit chain and jobs', () => {
    const allowed =
      /\.store\.ts$|^server\/src\/(database|books\/(lists|ledger|audit)|jobs)\/|^server\/src\/(actions\/idempotency|programs\/(setup|app))\.ts$/;
    const broken = findViolations(
      sourcesOf('server').filter((path) => !allowed.test(path)),
      (path) => /\bsql(<[^`]*>)?`/.test(read(path)) && 'writes SQL',
    );
    expect(broken).toEqual([]);
  });

  test('only env, supervisor and postmaster read the environment', () => {
    const checked = sourcesOf('server').filter(
      (path) => !/^server\/src\/(programs\/env|supervisor\/|embedded\/postmaster)/.test(path),
    );
    const broken = findViolations(checked, (path) => /process\.env(?!\))/.test(read(path)) && 'reads process.env');
    expect(broken).toEqual([]);
  });
});

/** Modules with another name than the noun of their paths. */
const moduleNames: Readonly<Record<string, string>> = {
  second: 'binary-contract',
  auth: 'kyc',
  service: 'support',
  fund: 'ledger-entry',
  plan: 'price-protection',
  trade: 'spot',
};

describe('names', () => {
  test('files are kebab-case; only components are PascalCase', () => {
    const broken = findViolations(sources, (path) => {
      const name = basename(path).replace(
        /(\.(schema|facts|routes|module|service|store|events|rules|steps|test|jobs))*\.tsx?$/,
        '',
      );
      if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return false;
      const component = path.endsWith('.tsx') && /^[A-Z][A-Za-z0-9]*$/.test(name);
      return component && new RegExp(`export (default )?(function|const|class) ${name}\\b`).test(read(path))
        ? false
        : 'name';
    });
    expect(broken).toEqual([]);
  });

  test('every noun of the contract has a file, a schema file and a module', () => {
    const folders = Object.keys(nouns).map(
      (noun) => moduleNames[noun] ?? noun.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    const missing = folders.filter((noun) => {
      const domain = new RegExp(`^server/src/domains/(\\w+)/${noun}/${noun}.module.ts$`);
      const own = files.flatMap((path) => domain.exec(path)?.[1] ?? []);
      const parts = own.flatMap((name) => ['calls', 'schema'].map((part) => `contract/src/${name}/${noun}/${part}.ts`));
      return parts.length !== 2 || parts.some((path) => !files.includes(path));
    });
    expect(missing).toEqual([]);
  });

  test('there are no default exports and no barrel files', () => {
    const configs = /(config|e2e\/server|test\/cluster)\.ts$/;
    const broken = findViolations(
      code.filter((path) => !configs.test(path)),
      (path) => /^export default|^export \* from/m.test(read(path)) && 'default export or barrel',
    );
    expect(broken).toEqual([]);
  });

  test('migrations are numbered without gaps', () => {
    const numbers = files
      .filter((path) => /^server\/migrations\/.*\.sql$/.test(path))
      .map((path) => Number(basename(path).slice(0, 4)))
      .toSorted((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe('sizes and contents', () => {
  test('files have at most 300 lines', () => {
    const long = findViolations(sources, (path) => {
      const lines = read(path).split('\n').length - 1;
      return lines > 300 && `${lines} lines`;
    });
    expect(long).toEqual([]);
  });

  // Migrations are append-only and stay in one folder, which their numbers order.
  test('folders have at most 60 files, tests and migrations aside', () => {
    const counts = new Map<string, number>();
    for (const path of files.filter((file) => !isTest(file) && dirname(file) !== 'server/migrations'))
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const large = [...counts].filter(([, count]) => count > 60);
    expect(Object.fromEntries(large)).toEqual({});
  });

  test('there are no TODO marks, disabled tests or suppressed errors', () => {
    const own = code.filter((path) => !path.startsWith('architecture/'));
    const forbidden =
      /\b(TODO|FIXME|XXX|HACK)\b|\.(only|skip|todo)\(|@ts-(ignore|expect-error|nocheck)|eslint-disable|oxlint-disable(?!-next-line [\w-]+(\/[\w-]+)?$)/m;
    expect(findViolations(own, (path) => forbidden.exec(read(path))?.[0])).toEqual([]);
  });

  test('every test file has an assertion', () => {
    const tests = code.filter((path) => isTest(path) && /\.(test|e2e)\.tsx?$/.test(path));
    expect(findViolations(tests, (path) => !/\bexpect\b|\bassert\b/.test(read(path)) && 'no assertion')).toEqual([]);
  });

  test('no generated or temporary files are in the repository', () => {
    const stray = files.filter((path) =>
      /(^|\/)(node_modules|dist|test-results)\/|\.(log|tmp|orig|rej|bak)$|(^|\/)\.DS_Store$/.test(path),
    );
    expect(stray).toEqual([]);
  });

  test('no text has the markers of an unresolved merge', () => {
    const texts = files.filter((path) => /\.(md|tsx?|mjs|json|sql|css|html|ya?ml)$/.test(path));
    expect(findViolations(texts, (path) => /^\s*<{7} /m.test(read(path)) && 'a marker')).toEqual([]);
  });
});

describe('destinations', () => {
  // docs/destinations.md: one account has many texts, so the texts are shown and searched, never compared.
  const COMPARED = [
    /\b\w+\.address\s*(?:=(?!>)|<>|!=|\bin\b|\bis\b|\bany\b)/,
    /(?:=|<>|!=|\bin\b)\s*(?:any\()?\w+\.address\b/,
    /(?<![.\w])address\s*(?:<>|!=|=\s*\$\{|\bin \()/,
    /\b(?:group by|partition by|distinct|using \()[^`;]*\baddress\b/,
  ];
  const stores = sources.filter((path) => path.endsWith('.store.ts'));

  test('no statement of a store compares the texts of addresses', () => {
    const broken = findViolations(stores, (path) =>
      read(path)
        .split('\n')
        .find((line) => COMPARED.some((pattern) => pattern.test(line))),
    );
    expect(broken).toEqual([]);
  });

  test.each([
    'where o.user_id = w.user_id and o.address = w.address',
    'where w.id = o.address',
    'where address = ${text}',
    "where address in ('a')",
    'select count(distinct o.address)',
    'group by user_id, address',
  ])('finds "%s"', (line) => {
    expect(COMPARED.some((pattern) => pattern.test(line))).toBe(true);
  });

  test('texts of addresses are filtered only in the two lists, by their ends', () => {
    const filtering = stores.filter((path) => /\baddress: '\w+\.address'/.test(read(path)));
    expect(filtering).toEqual([
      'server/src/domains/funds/recharge/recharge.store.ts',
      'server/src/domains/funds/withdraw/withdraw.store.ts',
    ]);
  });
});
