import { createServer } from 'node:net';

const found = new Set<number>();

/** A port of the loopback address that nobody listens on. Never the same twice, because the first may not be in use yet. */
export async function findFreePort(): Promise<number> {
  const port = await bindOnce();
  if (found.has(port)) return findFreePort();
  found.add(port);
  return port;
}

function bindOnce(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
