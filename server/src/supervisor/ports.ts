import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../programs/env.ts';

const FORMER_SERVER_TIMEOUT_MS = 20_000;

/** Ports of the servers: consecutive, one per process. */
export const portsOf = (env: Env): number[] => Array.from({ length: env.processes }, (_, n) => env.port + n);

export const addressOf = (env: Env, port: number): string => `http://${hostForUrl(env.host)}:${port}`;

/** A wildcard address is reached on the loopback address. */
function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Checks that a port is free. After a crash it waits up to 20 s, because the former server may still be draining.
 *
 * @param variable name of the environment variable of the port, for the message
 * @throws Error if the port is in use or cannot be listened on
 */
export async function waitForPort(host: string, port: number, hasCrashed: boolean, variable = 'PORT'): Promise<void> {
  const until = Date.now() + (hasCrashed ? FORMER_SERVER_TIMEOUT_MS : 0);
  for (;;) {
    const problem = await tryPort(host, port);
    if (problem === undefined) return;
    if (problem === 'EADDRINUSE' && Date.now() < until) await sleep(200);
    else if (problem === 'EADDRINUSE') {
      throw new Error(`Port ${port} is in use on ${host}: set ${variable} to another one. 端口已被占用。`);
    } else
      throw new Error(
        `Cannot listen on ${host}:${port} (${problem}): check ${variable === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'} and ${variable}.`,
      );
  }
}

/** Returns the error code if the port cannot be listened on. */
export function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
