import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Ends connections on which nothing was ever asked when the server stops. Browsers and clients keep such ones in reserve;
 * they count neither as idle nor as at work, so that a stop would wait for them until their time for headers is over.
 */
export function endSilent(server: FastifyInstance): void {
  const silent = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.server.on('request', ({ socket }) => silent.delete(socket));
  server.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
  });
}
