import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Watched, registerGauges } from './gauges.ts';

/**
 * Serves `/metrics` on a listener of its own, so that a proxy in front of the console cannot publish it.
 *
 * @returns the port, and a function that closes the listener
 */
export async function startMetricsServer(
  watched: Watched,
  address: { port: number; host: string },
): Promise<{ port: number; stop: () => Promise<void> }> {
  const refresh = registerGauges(watched);
  const { registry } = watched.app.state.metrics;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    refresh()
      .then(() => registry.metrics())
      .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
      .catch((error: unknown) => {
        watched.app.log.error({ err: error }, 'the metrics could not be collected');
        response.writeHead(500).end();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
