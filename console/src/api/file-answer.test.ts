import { expect, test } from 'vitest';
import { fileNameOf, readFile } from './file-answer.ts';

test('prefers the UTF-8 file name over the plain one', () => {
  const both = `attachment; filename="recharge-1.xlsx"; filename*=UTF-8''${encodeURIComponent('充值记录-1.xlsx')}`;
  expect(fileNameOf(both)).toBe('充值记录-1.xlsx');
  expect(fileNameOf('attachment; filename="recharge-1.xlsx"')).toBe('recharge-1.xlsx');
  expect(fileNameOf(`attachment; filename="plain.csv"; filename*=UTF-8''%E5%8`)).toBe('plain.csv');
  expect(fileNameOf('')).toBe('export');
});

test('reports received bytes and rejects a download that breaks off', async () => {
  const seen: number[] = [];
  const chunks = [new Uint8Array([1, 2]), new Uint8Array([3])];
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = chunks.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
  const { blob } = await readFile(new Response(stream), (bytes) => seen.push(bytes));
  expect([blob.size, seen]).toEqual([3, [2, 3]]);
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.error(new Error('gone'));
    },
  });
  await expect(readFile(new Response(broken))).rejects.toThrow('gone');
});
