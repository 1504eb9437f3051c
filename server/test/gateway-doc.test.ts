import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { COMMAND_TYPES, EVENT_REASONS, EVENT_TYPES } from '@hengtai/contract/gateway/gateway';
import { eventData } from '@hengtai/contract/gateway/events.schema';
import { followEventStates } from '@hengtai/contract/trading/follow/calls';
import { followStates } from '@hengtai/contract/trading/follow/facts';
import { futureEventStates } from '@hengtai/contract/trading/future/calls';
import { futureStates } from '@hengtai/contract/trading/future/facts';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import { spotEventStates } from '@hengtai/contract/trading/spot/calls';
import { spotStates } from '@hengtai/contract/trading/spot/facts';
import { withdrawEventStates } from '@hengtai/contract/funds/withdraw/calls';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBook } from '../src/books/ledger/check.ts';
import { findWithdraw } from './factories.ts';
import { type TestServer, call, login, testServer } from './server.ts';

const execFileAsync = promisify(execFile);
const docText = readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');

/** Returns a shell block of the page by the name in its fence. */
function findShellBlock(name: string): string {
  const code = new RegExp(`^\`\`\`sh ${name}\n(.*?)^\`\`\`$`, 'ms').exec(docText)?.[1];
  if (code === undefined) throw new Error(`docs/gateway.md has no shell block "${name}"`);
  return code;
}

/** Cells of the table rows in one section whose first cell starts with a code span. */
function findTableRows(section: string): string[][] {
  const start = docText.indexOf(`\n${section}`);
  if (start < 0) throw new Error(`docs/gateway.md has no section "${section}"`);
  const text = docText.slice(start + section.length + 1).split(/^#{2,3} /m)[0] ?? '';
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const codeSpansIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

let server: TestServer;
let url: string;

beforeAll(async () => {
  for (const tool of ['bash', 'curl', 'openssl']) {
    await execFileAsync(tool, [tool === 'openssl' ? 'version' : '--version']).catch(() => {
      throw new Error(`The example of docs/gateway.md needs ${tool}: install it (apt-get install bash curl openssl).`);
    });
  }
  server = await testServer();
  url = await server.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  expect(await checkBook(server.owner)).toEqual([]);
  await server.stop();
});

/** Runs blocks of the page as one script, like a reader who pastes them. */
async function runShellBlocks(...blocks: string[]): Promise<string> {
  const { key, secret } = server.app.platform;
  const env = { PATH: process.env['PATH'], PLATFORM_URL: url, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
  const { stdout } = await execFileAsync('bash', ['-euo', 'pipefail', '-c', blocks.map(findShellBlock).join('\n')], {
    env,
  });
  return stdout;
}

const resultsIn = (output: string): string[] =>
  [...output.matchAll(/"result":"(\w+)"/g)].map(([, result]) => result ?? '');

describe('the shell blocks of docs/gateway.md', () => {
  test('the signature example prints the documented signature', async () => {
    const documented = /^# ([0-9a-f]{64})$/m.exec(findShellBlock('signature'))?.[1];
    expect((await runShellBlocks('signature')).trim()).toBe(documented);
  });

  test('the worked example pays a withdrawal', async () => {
    const firstOutput = await runShellBlocks('setup', 'request');
    expect(resultsIn(firstOutput)).toEqual(['applied', 'applied', 'applied']);
    expect(firstOutput).toContain('"active":"400","frozen":"100"');
    const repeatedOutput = await runShellBlocks('setup', 'request');
    expect(resultsIn(repeatedOutput)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(repeatedOutput).toContain('"active":"400","frozen":"100"');

    const admin = await login(server);
    const withdrawal = await findWithdraw(server, admin, 'W-1');
    expect(withdrawal).toMatchObject({ state: 0, account: 'alice', received: '99' });
    const paying = runShellBlocks('setup', 'pay');
    const response = await call(server, 'POST', 'withdraw/pass', { id: withdrawal.id }, { token: admin });
    expect(response.code).toBe(200);

    const output = await paying;
    expect(output).toMatch(/^payout \d+: \{"seq":/);
    expect(resultsIn(output)).toEqual(['applied', 'applied']);
    expect(output).toContain('"active":"400","frozen":"0"');
    expect(await findWithdraw(server, admin, 'W-1')).toMatchObject({ state: 4, txHash: '0xbbb' });
  });
});

describe('the tables of docs/gateway.md', () => {
  test('list every event type with its required and optional fields', () => {
    const described = findTableRows('### Types').filter(([type]) =>
      codeSpansIn(type).some((name) => Object.hasOwn(eventData, name)),
    );
    const documented = Object.fromEntries(
      described
        .filter(([, cell]) => cell?.startsWith('`'))
        .map(([type, cell]) => [codeSpansIn(type)[0], (cell ?? '').replaceAll('`', '').split(', ').sort()]),
    );
    const expected = Object.fromEntries(
      EVENT_TYPES.map((type) => {
        const { properties, required = [] } = eventData[type] as { properties: object; required?: string[] };
        return [
          type,
          Object.keys(properties)
            .map((field) => (required.includes(field) ? field : `${field}?`))
            .sort(),
        ];
      }),
    );
    expect(documented).toEqual(expected);
  });

  test('list every rejection reason', () => {
    const documented = findTableRows('### Reasons').map(([reason]) => codeSpansIn(reason)[0]?.replace(': <field>', ''));
    expect(new Set(documented)).toEqual(new Set(Object.values(EVENT_REASONS)));
  });

  test.each([
    ['withdraw', withdrawEventStates],
    ['order', spotEventStates],
    ['position', futureEventStates],
    ['follow', followEventStates],
  ])('list the states that accept each %s event', (noun, accepted) => {
    const documented = findTableRows('### Types').filter(([, states]) => /^\d/.test(states ?? ''));
    for (const [event, states] of Object.entries<readonly number[]>(accepted)) {
      const name = event === 'funding' ? 'funding.paid' : `${noun}.${event}`;
      const row = documented.find(([cell]) => codeSpansIn(cell)[0] === name);
      expect(row?.[1]).toBe(states.join(', '));
    }
  });

  test.each([
    ['withdrawal', withdrawStates],
    ['recharge', rechargeStates],
    ['order', spotStates],
    ['position', futureStates],
    ['follow', followStates],
  ])('list every state of a %s', (noun, states) => {
    const table = new RegExp(`\\| state of an? ${noun} +\\|.*\n.*\n((?:\\|.*\n)+)`).exec(docText)?.[1] ?? '';
    const documented = table
      .trim()
      .split('\n')
      .map((row) => row.split('|')[1]?.trim());
    expect(documented).toEqual(Object.keys(states));
  });

  test('list only existing commands', () => {
    const documented = findTableRows('## Commands').map(([type]) => codeSpansIn(type)[0]);
    expect(COMMAND_TYPES).toEqual(expect.arrayContaining(documented));
    expect(documented).toContain('withdraw.payout');
  });
});
