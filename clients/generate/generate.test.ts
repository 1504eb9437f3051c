import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readGatewayTypes } from './document.ts';
import { toPython } from './python.ts';
import { toSigningText } from './signing-text.ts';
import { toTypeScript } from './typescript.ts';

// `npx vitest run clients/generate -u` writes the files.
test('the types of the clients are those of docs/openapi.json', async () => {
  const types = readGatewayTypes();
  expect(types.events.length).toBeGreaterThan(30);
  expect(types.commands.length).toBeGreaterThan(20);
  await expect(toTypeScript(types)).toMatchFileSnapshot('../typescript/src/types.ts');
  await expect(toPython(types)).toMatchFileSnapshot('../python/src/hengtai_platform/types.py');
});

test('Python reads the types, also fields that are words of the language', () => {
  const read = spawnSync('python3', ['-c', 'import sys, ast; ast.parse(sys.stdin.read())'], {
    input: toPython(readGatewayTypes()),
    encoding: 'utf8',
  });
  expect([read.status, read.stderr]).toEqual([0, '']);
});

test('the TypeScript client reads signed texts by the code of the contract', async () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../../contract/src/${name}.ts`, import.meta.url), 'utf8');
  await expect(toSigningText(read('risk/signing/text'), read('wire/stable-json'))).toMatchFileSnapshot(
    '../typescript/src/signing-text.ts',
  );
});
