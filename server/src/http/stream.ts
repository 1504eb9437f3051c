import type { OutgoingHttpHeaders } from 'node:http';
import { HEARTBEAT_SECONDS } from '@hengtai/contract/desk/notify/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyReply } from 'fastify';
import { refuse } from '../app/refuse.ts';

/** The writing end of an open stream of server-sent events. */
export interface Sink {
  readonly open: boolean;
  /** Sends an event. A client that reads too slowly is disconnected and reconnects with the last id it received. */
  send(event: string, data: unknown, id?: number): void;
  end(): void;
  /** The listener is called once when the stream ends for any reason. */
  onEnd(listener: () => void): void;
}

/** All streams of one server. They end when it stops, so that the stop does not wait for clients. */
export interface Streams {
  /** @throws Refused 503 after `endAll` */
  open(reply: FastifyReply): Sink;
  endAll(): void;
}

/** Unsent bytes after which a slow client is disconnected. */
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
  // Fastify must neither compress, buffer nor end this response.
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // The connection is not reused, so a stopping server does not wait for it.
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
  const heartbeat = setInterval(() => write(': \n\n'), HEARTBEAT_SECONDS * 1000);
  const close = (): void => {
    if (!open) return;
    open = false;
    clearInterval(heartbeat);
    for (const listener of listeners) listener();
  };
  raw.on('close', close);
  raw.on('error', close);
  // A client that disconnected earlier emits no further close event.
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
