import { expect, test } from 'vitest';
import { nameOf, readFile } from './file-answer.ts';

test('a file has the name in UTF-8, else the plain one', () => {
  const both = `attachment; filename="recharge-1.xlsx"; filename*=UTF-8''${encodeURIComponent('充值记录-1.xlsx')}`;
  expect(nameOf(both)).toBe('充值记录-1.xlsx');
  expect(nameOf('attachment; filename="recharge-1.xlsx"')).toBe('recharge-1.xlsx');
  expect(nameOf(`attachment; filename="plain.csv"; filename*=UTF-8''%E5%8`)).toBe('plain.csv');
  expect(nameOf('')).toBe('export');
});

test('bytes are counted as they come, and a file that breaks off is none', async () => {
  const seen: number[] = [];
  const parts = [new Uint8Array([1, 2]), new Uint8Array([3])];
  const whole = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = parts.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
  const { blob } = await readFile(new Response(whole), (bytes) => seen.push(bytes));
  expect([blob.size, seen]).toEqual([3, [2, 3]]);
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.error(new Error('gone'));
    },
  });
  await expect(readFile(new Response(broken))).rejects.toThrow('gone');
});
