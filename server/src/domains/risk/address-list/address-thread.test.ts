import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { UnreadableFile } from './address-file-line.rules.ts';
import { readOnThread, readerOptions } from './address-thread.ts';

/** Worker threads do not inherit the TypeScript loader, so the source registers it. */
const SOURCE = `
  import('tsx/esm/api')
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(new URL('./address-reader.ts', import.meta.url).href)}))`;

const startReader = (oldMb = 64): Worker => {
  const options = readerOptions({ list: 1, fileName: 'a.txt' }, { maxOldGenerationSizeMb: oldMb });
  return new Worker(SOURCE, { ...options, eval: true });
};
async function* pieces(...all: string[]): AsyncGenerator<Buffer> {
  for (const piece of all) yield Buffer.from(piece);
}
async function readAll(bytes: AsyncIterable<Buffer>, reader = startReader()) {
  const addresses: string[] = [];
  let batches = 0;
  for await (const { entries } of readOnThread(bytes, reader)) {
    batches++;
    addresses.push(...entries.map(({ address }) => address));
  }
  return { batches, addresses };
}
const failureOf = (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => error,
  );

test('reads every line, in batches', async () => {
  const lines = Array.from({ length: 2_500 }, (_, index) => `T-${index}`);
  const { batches, addresses } = await readAll(pieces(...lines.map((line) => `${line}\n`)));
  expect(addresses).toEqual(lines);
  expect(batches).toBe(3);
});

test('names the lines that cannot be read', async () => {
  const error = await failureOf(readAll(pieces('T-one\n', 'not one\n', 'T-two\n')));
  expect(error).toBeInstanceOf(UnreadableFile);
  expect(error).toMatchObject({ message: expect.stringContaining('第 2 行'), unread: [{ line: 2, text: 'not one' }] });
});

test('a file of another kind is refused before all of it has arrived', async () => {
  let sent = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) yield Buffer.from(sent++ === 0 ? '%PDF' : 'x'.repeat(65_536));
  }
  expect(await failureOf(readAll(endless()))).toMatchObject({ message: expect.stringContaining('PDF') });
});

test('throws the error of the bytes, and the thread ends', async () => {
  const lost = new Error('the client has left');
  async function* cutOff(): AsyncGenerator<Buffer> {
    yield Buffer.from('T-one\n');
    throw lost;
  }
  const reader = startReader();
  const exited = new Promise((resolve) => void reader.once('exit', resolve));
  expect(await failureOf(readAll(cutOff(), reader))).toBe(lost);
  await exited;
});

test('a reader that would need more memory refuses the file', async () => {
  const error = await failureOf(readAll(pieces('T-one\n'), startReader(4)));
  expect(error).toBeInstanceOf(UnreadableFile);
  expect(error).toMatchObject({ message: expect.stringContaining('内存') });
});
