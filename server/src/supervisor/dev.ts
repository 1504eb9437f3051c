import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findUnknownVariables } from '../programs/env-names.ts';
import { readEnv } from '../programs/env.ts';
import { keepChild } from './child.ts';
import { greetingOf } from './greeting.ts';
import { plainOutput } from './output.ts';
import { waitForPort } from './ports.ts';
import { findEntryPoints, prepare, untilStopped, waitHealthy, type StopHandler } from './supervise.ts';

// Development supervisor: server and simulator restart after a change of their sources, and Vite serves the console and
// proxies calls to the server.

const require = createRequire(import.meta.url);
const tsx = require.resolve('tsx/cli');
const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js');
const consoleConfig = fileURLToPath(new URL('../../../console/vite.config.ts', import.meta.url));

async function start(stops: StopHandler[]): Promise<void> {
  const env = readEnv(process.env);
  for (const warning of findUnknownVariables(process.env)) console.warn(warning);
  const output = plainOutput();
  const { address, database, login, platform, shared } = await prepare(env, stops, output);
  await waitForPort('127.0.0.1', env.consolePort, false, 'CONSOLE_PORT');
  const consolePort = String(env.consolePort);
  const entries = findEntryPoints();
  const keep = (name: string, args: string[], childEnv: NodeJS.ProcessEnv): ReturnType<typeof keepChild> => {
    const child = keepChild(name, args, childEnv, { report: output.report });
    stops.push(() => child.stop());
    return child;
  };
  const watchCommand = (entry: string): string[] => [tsx, 'watch', '--clear-screen=false', entry];
  const server = keep('server', watchCommand(entries.server), { ...shared, ...database });
  keep('console', [vite, '--config', consoleConfig, '--clearScreen', 'false', '--strictPort'], {
    ...shared,
    CONSOLE_PORT: consolePort,
    SERVER_URL: address,
  });
  await waitHealthy(address, server);
  if (env.simulator) keep('simulator', watchCommand(entries.simulator), { ...shared, ...platform });
  output.print(greetingOf(`http://127.0.0.1:${consolePort}`, login));
}

try {
  await untilStopped(start);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
