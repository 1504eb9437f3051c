import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** `npm test` builds before it runs; Vitest alone must not use an old build. */
export const isBuilt = process.env['TEST_BUILD'] === 'fresh';

/** Programs by their source, with their bundle (`scripts/build.mjs`). */
const BUNDLES = {
  'server/src/cli/hengtai.ts': 'server/dist/hengtai.js',
  'server/src/programs/main.ts': 'server/dist/main.js',
  'simulator/src/main.ts': 'simulator/dist/main.js',
} as const;

export type Program = keyof typeof BUNDLES;

/** Absolute path of a program: its bundle if the build is fresh, because a bundle starts in a third of the time. */
export const pathOfProgram = (program: Program): string =>
  fileURLToPath(new URL(`../${isBuilt ? BUNDLES[program] : program}`, import.meta.url));

const loader = isBuilt ? [] : ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];

/** Arguments of Node that run a program. */
export const nodeArguments = (program: Program, ...args: string[]): string[] => [
  ...loader,
  pathOfProgram(program),
  ...args,
];
