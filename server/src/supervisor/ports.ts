import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../env.ts';

const FORMER_SERVER_WITHIN = 20_000;

/** The port of each server. */
export const portsOf = (env: Env): number[] => Array.from({ length: env.processes }, (_, n) => env.port + n);

export const addressOf = (env: Env, port: number): string => `http://${hostForUrl(env.host)}:${port}`;

/** An address that listens everywhere is reached on the loopback. */
function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Tests that a port is free. After a crash it waits, because the former server may still be draining.
 *
 * @param variable the variable that sets the port, for the message
 */
export async function waitForPort(host: string, port: number, hasCrashed: boolean, variable = 'PORT'): Promise<void> {
  const until = Date.now() + (hasCrashed ? FORMER_SERVER_WITHIN : 0);
  for (;;) {
    const problem = await tryPort(host, port);
    if (problem === undefined) return;
    if (problem === 'EADDRINUSE' && Date.now() < until) await sleep(200);
    else if (problem === 'EADDRINUSE') {
      throw new Error(`Port ${port} is in use on ${host}: set ${variable} to another one. 端口已被占用。`);
    } else throw new Error(`Cannot listen on ${host}:${port} (${problem}): check HOST and ${variable}.`);
  }
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
