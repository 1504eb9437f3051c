import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkLiteral, checkedLookup } from './checked-address.ts';

interface Outgoing {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  allowPrivate: boolean;
  signal: AbortSignal;
}

/**
 * Sends a request to checked addresses only, over a connection of its own: no proxy of the environment and no older
 * connection is used. Redirects are not followed.
 *
 * @throws BlockedTarget, or errors of the connection
 */
export async function sendRequest(
  url: URL,
  { method, headers, body, allowPrivate, signal }: Outgoing,
): Promise<IncomingMessage> {
  checkLiteral(url, allowPrivate);
  const options = {
    method,
    headers: { ...headers, 'content-length': Buffer.byteLength(body ?? ''), 'user-agent': 'HengTai' },
    agent: false,
    lookup: checkedLookup(url.protocol, allowPrivate),
    signal,
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end(body);
  });
}

/** Reads an answer up to a number of bytes; the rest is dropped with the connection. */
export async function readStart(answer: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= max) break;
  }
  return Buffer.concat(chunks).subarray(0, max);
}
