import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeFileError } from './file-error.ts';

const systemError = (fields: object): Error => Object.assign(new Error('of the system'), fields);

test('names what was tried, the path and what to do', () => {
  const refused = (() => {
    try {
      return mkdirSync(`${process.execPath}/x`);
    } catch (error) {
      return error;
    }
  })();
  expect(describeFileError(refused)).toBe(
    `Cannot create ${process.execPath}/x (ENOTDIR): a part of the path is a file, not a folder; correct the path · 路径中有文件。`,
  );
  expect(describeFileError(systemError({ code: 'ENOSPC', syscall: 'write' }))).toMatch(
    /^Cannot write below DATA_DIR or the path that was named \(ENOSPC\): the disk is full/,
  );
});

test('leaves other errors alone', () => {
  for (const error of [
    new Error('refused'),
    systemError({ code: 'EACCES', syscall: 'listen', address: '127.0.0.1' }),
    systemError({ code: 'ENOENT', syscall: 'connect', address: '/run/x.sock' }),
    systemError({ code: 'EWHATEVER', syscall: 'open', path: '/x' }),
    'text',
  ])
    expect(describeFileError(error)).toBeUndefined();
});
