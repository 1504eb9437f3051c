import { describe, expect, test } from 'vitest';
import { importsOf, localImportsOf, read, sources } from './files.ts';

/** Folders of console/src from the lowest to the highest. A folder imports itself and the folders before it. */
const LAYERS = ['ui', 'records', 'api', 'navigation', 'actions', 'lists', 'domains', 'app'] as const;
/** Documents with an entry of their own, which do without pages, and what they may import. */
const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  login: ['ui', 'api', 'login'],
  // Its arithmetic only: a reader of the signing page has little to read.
  signing: ['ui', 'signing'],
};
const PAGE_TABLE = 'console/src/app/pages.ts';

/** Readers whose failure leaves no gap: a mark, a note or a name is missing, or the caller shows it. */
const SILENT_READERS = [
  'actions/CheckerNote.tsx',
  'actions/WaitingMark.tsx',
  'app/ImportBanner.tsx',
  'domains/people/agent/RowActions.tsx',
  'domains/people/agent/use-agent-route.ts',
  'domains/desk/approval/ExceptionSigns.tsx',
  'domains/desk/approval/ResetLink.tsx',
  'domains/risk/auto-payout/exported/StopAuto.tsx',
  'domains/desk/config/GoLive.tsx',
  'domains/desk/config/HistoryPage.tsx',
  'domains/desk/config/SingleApproverNotice.tsx',
  'domains/desk/home/FirstSteps.tsx',
  'domains/desk/home/chart-refetch.ts',
  'domains/desk/home/home-chart.ts',
  'domains/risk/rule/exported/choice-names.ts',
  'domains/house/security/exported/SetupGate.tsx',
  'lists/AgentInput.tsx',
  'lists/QueueMarks.tsx',
  'lists/export-jobs.ts',
  'lists/market-options.ts',
  'lists/views.ts',
];

const imports = new Map(
  sources.filter((path) => path.startsWith('console/src/')).map((path) => [path, localImportsOf(path)]),
);
const edges = [...imports].flatMap(([from, targets]) =>
  targets.filter((to) => to.startsWith('console/src/')).map((to) => ({ from, to })),
);
const layerOf = (path: string): string => path.split('/')[2] ?? '';
const resourceOf = (path: string): string | undefined =>
  layerOf(path) === 'domains' ? path.split('/').slice(3, 5).join('/') : undefined;
const toText = ({ from, to }: { from: string; to: string }): string => `${from} imports ${to}`;

/** Files that import each other, directly or through others. Types and imports on demand count as well. */
function findCircles(): string[][] {
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const index = indexes.size;
    indexes.set(path, index);
    lowest.set(path, index);
    open.push(path);
    for (const to of imports.get(path) ?? []) {
      if (!imports.has(to)) continue;
      const reached = indexes.has(to) ? (open.includes(to) ? (indexes.get(to) ?? index) : index) : visit(to);
      lowest.set(path, Math.min(lowest.get(path) ?? index, reached));
    }
    if (lowest.get(path) === index) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle);
    }
    return lowest.get(path) ?? index;
  };
  for (const path of imports.keys()) if (!indexes.has(path)) visit(path);
  return circles;
}

describe('the console', () => {
  test('has no circle of imports', () => {
    expect(edges.length).toBeGreaterThan(1000);
    expect(findCircles()).toEqual([]);
  });

  test('imports downward only', () => {
    const known: readonly string[] = LAYERS;
    const broken = edges.filter(({ from, to }) => {
      const layer = layerOf(from);
      const own = DOCUMENTS[layer];
      if (own) return !own.includes(layerOf(to));
      return !known.includes(layer) || !known.slice(0, known.indexOf(layer) + 1).includes(layerOf(to));
    });
    expect(broken.filter(({ to }) => !to.endsWith('.css')).map(toText)).toEqual([]);
  });

  test('imports a resource through its folder exported/ and the table of pages only', () => {
    const broken = edges.filter(({ from, to }) => {
      const resource = resourceOf(to);
      if (resource === undefined || resource === resourceOf(from) || from === PAGE_TABLE) return false;
      return !to.startsWith(`console/src/domains/${resource}/exported/`);
    });
    expect(broken.map(toText)).toEqual([]);
  });

  test('shows the failure of what it reads', () => {
    const readers = [...imports.keys()].filter(
      (path) => !path.startsWith('console/src/api/') && /\buse(Reads?|Query)\(/.test(read(path)),
    );
    const silent = readers.filter((path) => !/\bQueryPlace\b|\bquery=\{|\berror\b|\bpanelState\b/.test(read(path)));
    expect(silent.map((path) => path.replace('console/src/', '')).toSorted()).toEqual(SILENT_READERS.toSorted());
  });

  test('imports the router in app and navigation only', () => {
    const importing = [...imports.keys()].filter((path) => importsOf(path).some(({ from }) => from === 'react-router'));
    expect(importing.filter((path) => !['app', 'navigation'].includes(layerOf(path)))).toEqual([]);
  });

  test('loads parts on demand through lazyComponent, so that a missing script does not take the page', () => {
    const lazy = [...imports.keys()].filter((path) => /^import \{[^}]*\blazy\b[^}]*\} from 'react';/m.test(read(path)));
    expect(lazy.toSorted()).toEqual([
      'console/src/navigation/page-component.ts',
      'console/src/ui/page/lazy-component.tsx',
    ]);
  });

  test('imports the table of pages in its entry only', () => {
    expect(edges.filter(({ to }) => to === PAGE_TABLE).map(({ from }) => from)).toEqual(['console/src/app/main.ts']);
  });
});
