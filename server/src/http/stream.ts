import type { OutgoingHttpHeaders } from 'node:http';
import { HEARTBEAT_SECONDS } from '@hengtai/contract/notify';
import { refusals } from '@hengtai/contract/refusals';
import type { FastifyReply } from 'fastify';
import { refuse } from '../refuse.ts';

/** One open stream of server-sent events, as its writer sees it. */
export interface Sink {
  readonly open: boolean;
  /** Sends an event; a reader that does not keep up is dropped, and comes back with the last id it saw. */
  send(event: string, data: unknown, id?: number): void;
  end(): void;
  /** Called once, however the stream ended. */
  onEnd(listener: () => void): void;
}

/** The streams of one server: all of them end when it stops, so that a stop waits for nobody. */
export interface Streams {
  open(reply: FastifyReply): Sink;
  endAll(): void;
}

/** What one reader may have waiting for it. */
const BUFFER_MAX = 512 * 1024;

export function makeStreams(): Streams {
  const all = new Set<Sink>();
  let ended = false;
  return {
    open: (reply) => {
      if (ended) throw refuse(refusals.unavailable);
      const sink = openSink(reply);
      all.add(sink);
      sink.onEnd(() => all.delete(sink));
      return sink;
    },
    endAll: () => {
      ended = true;
      for (const sink of all) sink.end();
    },
  };
}

function openSink(reply: FastifyReply): Sink {
  // From here on the framework neither compresses nor buffers nor ends what is sent.
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // Nothing follows on this line, so that a server that stops need not wait for it.
    connection: 'close',
  });
  raw.flushHeaders();
  const listeners = new Set<() => void>();
  let open = true;
  const write = (text: string): void => {
    if (!open) return;
    raw.write(text);
    if (raw.writableLength > BUFFER_MAX) raw.destroy();
  };
  const heart = setInterval(() => write(': \n\n'), HEARTBEAT_SECONDS * 1000);
  const close = (): void => {
    if (!open) return;
    open = false;
    clearInterval(heart);
    for (const listener of listeners) listener();
  };
  raw.on('close', close);
  raw.on('error', close);
  // Who went away while the first answer was read is not heard of again.
  if (raw.destroyed) close();
  write(': \n\n');
  return {
    get open() {
      return open;
    },
    send: (event, data, id) =>
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => {
      if (!open) return;
      raw.end();
      close();
    },
    onEnd: (listener) => {
      if (open) listeners.add(listener);
      else listener();
    },
  };
}
