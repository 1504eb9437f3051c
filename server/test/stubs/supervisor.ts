import { fileURLToPath } from 'node:url';
import { readEnv } from '../../src/env.ts';
import { supervise } from '../../src/supervisor/supervise.ts';

// The supervisor itself, with programs below it that do next to nothing.
const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
try {
  await supervise({
    env: readEnv(process.env),
    entries: { server: at('./server.ts'), simulator: at('./simulator.ts') },
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
