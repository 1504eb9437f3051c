import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeUnusedConnections } from './unused-connections.ts';
import { type Sink, makeStreams } from './stream.ts';

test('disconnects a client that reads too slowly', async () => {
  const streams = makeStreams();
  const server = Fastify();
  const opened = new Promise<Sink>((resolve) => {
    server.get('/', (_request, reply) => resolve(streams.open(reply)));
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  const reader = connect(port, '127.0.0.1').on('error', () => undefined);
  reader.pause();
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const sink = await opened;
  const ended = new Promise<void>((resolve) => sink.onEnd(resolve));
  // More than the socket buffers of the system hold for a client that never reads.
  const large = 'x'.repeat(256 * 1024);
  let sent = 0;
  while (sink.open && sent < 400) {
    sink.send('fact', large);
    sent += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  expect(sent).toBeLessThan(400);
  reader.destroy();
  await server.close();
});

test('cleans up when the client disconnects before the stream opens', async () => {
  const streams = makeStreams();
  const server = Fastify();
  let ends = 0;
  const opened = new Promise<Sink>((resolve) => {
    server.get('/', (request, reply) => {
      request.raw.socket.destroy();
      reply.raw.on('close', () => resolve(streams.open(reply)));
    });
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  const sink = await opened;
  sink.onEnd(() => (ends += 1));
  expect([sink.open, ends]).toEqual([false, 1]);
  await server.close();
});

test('a stopping server ends its streams and opens no more', async () => {
  const streams = makeStreams();
  const server = Fastify();
  server.addHook('preClose', async () => streams.endAll());
  server.get('/', (_request, reply) => {
    streams.open(reply).send('counts', {});
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const { body } = await fetch(url);
  await server.close();
  expect(await new Response(body).text()).toBe(': \n\nevent: counts\ndata: {}\n\n');
  expect(() => streams.open({} as never)).toThrow('服务暂不可用');
});

test('a stopping server does not wait for a connection without a request', async () => {
  const server = Fastify({ forceCloseConnections: 'idle' });
  closeUnusedConnections(server);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as { port: number };
  const accepted = once(server.server, 'connection');
  const reserve = connect(port, '127.0.0.1').on('error', () => undefined);
  await accepted;
  const ended = once(reserve, 'close');
  await server.close();
  await ended;
  expect(reserve.destroyed).toBe(true);
});
