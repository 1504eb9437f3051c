import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A reverse proxy in front of several server processes. It sends each request to the next of them. */
export interface RoundRobin {
  url: string;
  stop(): Promise<void>;
}

export async function roundRobin(urls: readonly string[]): Promise<RoundRobin> {
  let turn = 0;
  const proxy = createServer((asked, answer) => {
    const target = new URL(asked.url ?? '/', urls[turn % urls.length]);
    turn += 1;
    const { method, headers } = asked;
    const passed = request(target, { method, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      pipeline(got, answer, () => undefined);
    });
    passed.on('error', () => answer.destroy());
    pipeline(asked, passed, () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => closed(proxy) };
}

function closed(proxy: Server): Promise<void> {
  proxy.closeAllConnections();
  return new Promise((resolve) => proxy.close(() => resolve()));
}
