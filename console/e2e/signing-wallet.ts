import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { platform } from './server.ts';

const FORWARDED = ['x-key', 'x-time', 'x-signature', 'x-nonce', 'content-type', 'content-encoding'];

/** A proxy between server and wallet, as the owner of the server could run it: passes calls on and may change the answers. */
export interface Thief {
  url: string;
  change: (text: string) => string;
  /** Answers that were changed. */
  changed: number;
  close: () => void;
}

/** @param target base URL of the server */
export async function startThief(target: string): Promise<Thief> {
  async function pass(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const headers = FORWARDED.flatMap((name) => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    const { method = 'GET', url = '/' } = incoming;
    const answer = await fetch(target + url, { method, headers, ...(body.length > 0 && { body }) });
    const text = await answer.text();
    const sent = thief.change(text);
    if (sent !== text) thief.changed += 1;
    reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(sent);
  }
  // A server that stops breaks the call off.
  const server = createServer((incoming, reply) => void pass(incoming, reply).catch(() => reply.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const thief: Thief = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    change: (text) => text,
    changed: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return thief;
}

/** Starts the simulator as a program of its own, which calls the gateway at this address. */
export function startWallet(url: string, env: Record<string, string>): { stop: () => Promise<void> } {
  const program = fileURLToPath(new URL('../../simulator/dist/main.js', import.meta.url));
  if (!existsSync(program)) throw new Error('The browser tests run the built product: run npm run build first.');
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    env: { ...process.env, PLATFORM_URL: url, PLATFORM_KEY: platform.key, PLATFORM_SECRET: platform.secret, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
