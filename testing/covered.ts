import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { afterAll } from 'vitest';

// Not by `URL`, which the console's tests replace.
const root = process.cwd();
const directory = process.env['TEST_COVERED'];

/** One session per worker, because each counts on from where the last file ended. */
const store = globalThis as { coverage?: Promise<Session> };

async function startCoverage(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return session;
}

/** The functions of the product that ran since the last call, as `path#function@offset`. */
async function takeFunctions(session: Session): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    const path = relative(root, url.replace(/^file:\/\//, ''));
    if (!/^[\w/]+\/src\/.*(?<!\.test)\.tsx?$/.test(path)) return [];
    // The first one is the module itself; those without a name are mostly exports.
    const called = functions.slice(1).filter(({ functionName, ranges }) => functionName && ranges[0]?.count);
    return called.map(({ functionName, ranges }) => `${path}#${functionName}@${ranges[0]?.startOffset}`);
  });
}

// Writes which functions each test file ran, for `npm run test:changed -- --learn`.
if (directory) {
  const session = await (store.coverage ??= startCoverage());
  await takeFunctions(session);
  // oxlint-disable-next-line no-empty-pattern
  afterAll(async ({}, { file }) => {
    const test = relative(root, file.filepath);
    mkdirSync(directory, { recursive: true });
    const name = createHash('sha256').update(test).digest('hex');
    writeFileSync(join(directory, name), JSON.stringify({ test, functions: await takeFunctions(session) }));
  });
}
