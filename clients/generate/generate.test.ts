import { expect, test } from 'vitest';
import { readGatewayTypes } from './document.ts';
import { toPython } from './python.ts';
import { toTypeScript } from './typescript.ts';

// `npx vitest run clients/generate -u` writes both files.
test('the types of the clients are those of docs/openapi.json', async () => {
  const types = readGatewayTypes();
  expect(types.events.length).toBeGreaterThan(30);
  expect(types.commands.length).toBeGreaterThan(20);
  await expect(toTypeScript(types)).toMatchFileSnapshot('../typescript/src/types.ts');
  await expect(toPython(types)).toMatchFileSnapshot('../python/src/hengtai_platform/types.py');
});
