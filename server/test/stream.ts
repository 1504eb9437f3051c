import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { CODE, type Envelope } from '@hengtai/contract/wire/envelope';
import { type StreamEvents, notify } from '@hengtai/contract/desk/notify/calls';
import type { Counts, NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { expect } from 'vitest';
import type { TestServer } from './server.ts';

export interface StreamEvent {
  event: keyof StreamEvents;
  data: unknown;
  id: number | undefined;
}

/** A stream over a real connection, as a console reads it, with all events received so far. */
export interface OpenStream {
  response: Response;
  received: StreamEvent[];
  notifications(): NotificationRow[];
  counts(): Counts | undefined;
  /** Resolves once the received events fulfil the condition. */
  until(condition: () => boolean): Promise<void>;
  ended: Promise<void>;
  /** Aborts the connection, like a network failure. */
  abort(): void;
}

/** Opens a stream at a listening server. Throws the envelope of a refusal. */
export async function openStream(base: string, token: string, query: { last?: number } = {}): Promise<OpenStream> {
  const controller = new AbortController();
  const search = query.last === undefined ? '' : `?last=${query.last}`;
  const response = await fetch(`${base}${API_BASE}${notify.stream.path}${search}`, {
    headers: { token, 'accept-encoding': 'gzip, br' },
    signal: controller.signal,
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
    throw Object.assign(new Error('refused'), {
      status: response.status,
      envelope: (await response.json()) as Envelope,
    });
  }
  const received: StreamEvent[] = [];
  const ended = readInto(received, response.body).catch(() => undefined);
  return {
    response,
    received,
    notifications: () => received.filter(({ event }) => event === 'fact').map(({ data }) => data as NotificationRow),
    counts: () => received.findLast(({ event }) => event === 'counts')?.data as Counts | undefined,
    until: (condition) => expect.poll(condition).toBe(true),
    ended,
    abort: () => controller.abort(),
  };
}

async function readInto(received: StreamEvent[], body: ReadableStream<Uint8Array>): Promise<void> {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      if (fields['event'] === undefined) continue;
      const id = fields['id'] === undefined ? undefined : Number(fields['id']);
      received.push({ event: fields['event'] as StreamEvent['event'], data: JSON.parse(fields['data'] ?? ''), id });
    }
  }
}

/** Reads a stream up to its first counts and returns the events as a normal answer. Returns a refusal unchanged. */
export async function readStreamStart(
  { server }: Pick<TestServer, 'server'>,
  url: string,
  token: string | undefined,
): Promise<string> {
  const headers = token === undefined ? {} : { token };
  const response = await server.inject({ method: 'GET', url, headers, payloadAsStream: true });
  let text = '';
  for await (const chunk of response.stream()) {
    text += String(chunk);
    if (/^event: counts\n.*\n\n/m.test(text)) break;
  }
  response.raw.res.destroy();
  return text.startsWith('{') ? text : JSON.stringify({ code: CODE.ok, msg: 'ok', data: eventsIn(text) });
}

const eventsIn = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as unknown);
