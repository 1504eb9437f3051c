import { spawn } from 'node:child_process';
import { nodeArguments } from '../../testing/program.ts';
import type { TestServer } from './server.ts';

export interface CommandResult {
  code: number | null;
  text: string;
}

/**
 * Runs `hengtai` on the database of a test server.
 *
 * @param env more variables; `DATABASE_URL` undefined uses the PostgreSQL of DATA_DIR
 */
export function runHengtai(
  server: Pick<TestServer, 'urls' | 'auditDir'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  return runCommand(args, {
    DATABASE_URL: server.urls.owner,
    DATABASE_APP_URL: server.urls.app,
    DATA_DIR: server.auditDir,
    ...env,
  });
}

/** Runs `hengtai` with an environment. */
export function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const { DATABASE_URL: _database, ...inherited } = process.env;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, nodeArguments('server/src/cli/hengtai.ts', ...args), {
      env: { ...inherited, ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    child.once('close', (code) => resolve({ code, text }));
  });
}
