import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A reverse proxy in front of several server processes. It sends each request to the next of them. */
export interface RoundRobin {
  url: string;
  stop(): Promise<void>;
}

export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', urls[turn % urls.length]);
    turn += 1;
    const { method, headers } = incoming;
    const forwarded = request(target, { method, headers, agent: false }, (upstream) => {
      outgoing.writeHead(upstream.statusCode ?? 502, upstream.headers);
      pipeline(upstream, outgoing, () => undefined);
    });
    forwarded.on('error', () => outgoing.destroy());
    pipeline(incoming, forwarded, () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => closeProxy(proxy) };
}

function closeProxy(proxy: Server): Promise<void> {
  proxy.closeAllConnections();
  return new Promise((resolve) => proxy.close(() => resolve()));
}
