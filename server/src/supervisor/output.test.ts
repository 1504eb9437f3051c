import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { visibleText } from '../../test/terminal.ts';
import { openLogFile, openLogFolder } from './log-files.ts';
import { plainOutput, terminalOutput } from './output.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'output-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Collects both streams of a terminal in one text. */
function fakeTerminal(columns = 100) {
  let text = '';
  const stream = () =>
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
  return { streams: { stdout: Object.assign(stream(), { columns }), stderr: stream() }, text: () => text };
}

test('without a terminal the progress is one line per 10 %', () => {
  const { streams, text } = fakeTerminal();
  const output = plainOutput(streams);
  // The progress may go back after a restart of the simulator.
  for (const share of [0.01, 0.11, 0.12, 0.35, 0.3, 0.4, 1]) output.showProgress(share);
  expect(output.logFileOf('server')).toBeUndefined();
  const label = "Importing the demo's history · 正在导入演示数据";
  expect(text()).toBe([10, 30, 40, 100].map((share) => `${label} ${share} %\n`).join(''));
});

test('on a terminal the progress is redrawn below what was printed, and erased', async () => {
  const { streams, text } = fakeTerminal();
  const output = terminalOutput(dataDir, streams);
  output.print('greeting');
  output.showProgress(0.5);
  expect(visibleText(text())).toBe(
    "greeting\n  Importing the demo's history · 正在导入演示数据 [##########----------] 50 %",
  );
  output.report('The simulator has ended');
  output.showProgress(0.75);
  output.showProgress(1);
  expect(visibleText(text())).toBe('greeting\nThe simulator has ended\n');
  output.showProgress(0.9);
  await output.end();
  expect(visibleText(text())).toBe('greeting\nThe simulator has ended\n');
  const [line] = readFileSync(join(dataDir, 'logs/server.log'), 'utf8').split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ name: 'supervisor', msg: 'The simulator has ended' });
});

test('a line that does not fit is reduced to the percentage', () => {
  const { streams, text } = fakeTerminal(40);
  terminalOutput(dataDir, streams).showProgress(0.5);
  expect(text()).toBe('  50 %');
});

test('without a log folder the logs go to the terminal', () => {
  const { streams, text } = fakeTerminal();
  writeFileSync(join(dataDir, 'logs'), '');
  expect(terminalOutput(dataDir, streams).logFileOf('server')).toBeUndefined();
  expect(text()).toContain('The log folder cannot be created');
});

test('log files are private and rotate at 10 MB, with five old files', async () => {
  const folder = openLogFolder(dataDir);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const problems: string[] = [];
  const block = `${'x'.repeat(1023)}\n`.repeat(10 * 1024);
  for (let round = 0; round < 7; round += 1) {
    const file = openLogFile(folder, 'server.log', (message) => problems.push(message));
    file.write(block);
    file.write(`${round}\n`);
    expect(file.tail().at(-1)).toBe(String(round));
    expect(file.tail().length).toBeLessThanOrEqual(21);
    await file.end();
  }
  expect(problems).toEqual([]);
  const names = ['server.log', ...[1, 2, 3, 4, 5].map((age) => `server.log.${age}`)];
  expect(readdirSync(folder).sort()).toEqual(names);
  expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(names.map(() => 0o600));
  expect(readFileSync(join(folder, 'server.log'), 'utf8')).toBe('6\n');
});

test('a file that cannot be written is reported once, and the logs are dropped', async () => {
  const problems: string[] = [];
  const file = openLogFile(join(dataDir, 'no-folder', '\0'), 'server.log', (message) => problems.push(message));
  file.write('one\n');
  await expect.poll(() => problems).toHaveLength(1);
  file.write('two\n');
  await file.end();
  expect(problems).toHaveLength(1);
  expect(file.tail()).toEqual(['one', 'two']);
});
