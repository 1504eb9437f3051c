import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { COMMAND_TYPES, EVENT_REASONS, EVENT_TYPES } from '@hengtai/contract/gateway';
import { eventData } from '@hengtai/contract/gateway.schema';
import { withdrawEventStates } from '@hengtai/contract/withdraw';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBook } from '../src/ledger/check.ts';
import { findWithdraw } from './factories.ts';
import { type TestServer, call, login, testServer } from './server.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/gateway.md', import.meta.url), 'utf8');

/** Returns a shell block of the page by the name in its fence. */
function block(name: string): string {
  const found = new RegExp(`^\`\`\`sh ${name}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/gateway.md has no shell block "${name}"`);
  return found;
}

/** Cells of the table rows in one section whose first cell starts with a code span. */
function rows(section: string): string[][] {
  const start = page.indexOf(`\n${section}`);
  if (start < 0) throw new Error(`docs/gateway.md has no section "${section}"`);
  const text = page.slice(start + section.length + 1).split(/^#{2,3} /m)[0] ?? '';
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

const names = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

let server: TestServer;
let url: string;

beforeAll(async () => {
  for (const tool of ['bash', 'curl', 'openssl']) {
    await run(tool, [tool === 'openssl' ? 'version' : '--version']).catch(() => {
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
async function shell(...blocks: string[]): Promise<string> {
  const { key, secret } = server.app.platform;
  const env = { PATH: process.env['PATH'], PLATFORM_URL: url, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', blocks.map(block).join('\n')], { env });
  return stdout;
}

const resultsIn = (output: string): string[] =>
  [...output.matchAll(/"result":"(\w+)"/g)].map(([, result]) => result ?? '');

describe('the shell blocks of docs/gateway.md', () => {
  test('the signature example prints the documented signature', async () => {
    const printed = /^# ([0-9a-f]{64})$/m.exec(block('signature'))?.[1];
    expect((await shell('signature')).trim()).toBe(printed);
  });

  test('the worked example pays a withdrawal', async () => {
    const first = await shell('setup', 'request');
    expect(resultsIn(first)).toEqual(['applied', 'applied', 'applied']);
    expect(first).toContain('"active":"400","frozen":"100"');
    const again = await shell('setup', 'request');
    expect(resultsIn(again)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(again).toContain('"active":"400","frozen":"100"');

    const admin = await login(server);
    const asked = await findWithdraw(server, admin, 'W-1');
    expect(asked).toMatchObject({ state: 0, account: 'alice', received: '99' });
    const paying = shell('setup', 'pay');
    const passed = await call(server, 'POST', 'withdraw/pass', { id: asked.id }, { token: admin });
    expect(passed.code).toBe(200);

    const output = await paying;
    expect(output).toMatch(/^payout \d+: \{"seq":/);
    expect(resultsIn(output)).toEqual(['applied', 'applied']);
    expect(output).toContain('"active":"400","frozen":"0"');
    expect(await findWithdraw(server, admin, 'W-1')).toMatchObject({ state: 4, txHash: '0xbbb' });
  });
});

describe('the tables of docs/gateway.md', () => {
  test('list every event type with its required and optional fields', () => {
    const described = rows('### Types').filter(([type]) => names(type).some((name) => Object.hasOwn(eventData, name)));
    const told = Object.fromEntries(
      described
        .filter(([, cell]) => cell?.startsWith('`'))
        .map(([type, cell]) => [names(type)[0], (cell ?? '').replaceAll('`', '').split(', ').sort()]),
    );
    const known = Object.fromEntries(
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
    expect(told).toEqual(known);
  });

  test('list every rejection reason', () => {
    const told = rows('### Reasons').map(([reason]) => names(reason)[0]?.replace(': <field>', ''));
    expect(new Set(told)).toEqual(new Set(Object.values(EVENT_REASONS)));
  });

  test('list the states that accept each withdrawal event', () => {
    const told = rows('### Types').filter(([, states]) => /^\d/.test(states ?? ''));
    for (const [event, states] of Object.entries(withdrawEventStates)) {
      const row = told.find(([name]) => names(name)[0] === `withdraw.${event}`);
      expect(row?.[1]).toBe(states.join(', '));
    }
  });

  test('list only existing commands', () => {
    const told = rows('## Commands').map(([type]) => names(type)[0]);
    expect(COMMAND_TYPES).toEqual(expect.arrayContaining(told));
    expect(told).toContain('withdraw.payout');
  });
});
