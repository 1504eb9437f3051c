import type { IncomingMessage } from 'node:http';
import { CODE } from '@hengtai/contract/wire/envelope';
import type { Endpoint } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authorize, refreshCaller } from '../authority/authority.ts';
import { Refused, refuse } from '../app/refuse.ts';
import type { FileAction, FileCall } from './handler.ts';
import { queryParser } from './input.ts';

/** Leaves bodies that are no JSON unread, for the routes of `server`. */
export function acceptFiles(server: FastifyInstance): void {
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/** A body that is a file, with its fields from the query string. */
export interface FileBody {
  fields: unknown;
  bytes: AsyncIterable<Buffer>;
  /** Receives the rest, so that a client that is still sending gets the answer. */
  drain: () => Promise<void>;
}

/**
 * Makes a function that returns the file of a request, or undefined if its body is JSON or the call takes no file.
 *
 * @throws Refused 413, 422
 */
export function fileReader({ call, fileQuery }: Endpoint): (request: FastifyRequest) => FileBody | undefined {
  const { fileBytesMax } = call;
  if (fileBytesMax === undefined || !fileQuery) return () => undefined;
  const parse = queryParser(fileQuery, false);
  return ({ body, query, headers, raw }) => {
    if (body !== undefined || headers['content-type']?.startsWith('application/json')) return undefined;
    if (Number(headers['content-length'] ?? 0) > fileBytesMax) throw refuse(refusals.tooLarge);
    return { fields: parse(query), bytes: limitBytes(raw, fileBytesMax), drain: async () => drain(raw, fileBytesMax) };
  };
}

/**
 * Lets an action read the body, after the checks that need none. The caller is read again, because a session can end while a JSON
 * body is received; the action itself checks it once more.
 *
 * @throws Refused 400, 403, 428, 422, or as the action does
 */
export async function receive(
  { app, caller }: FileCall,
  { call, receive: read }: FileAction<unknown, unknown>,
  input: unknown,
  file: FileBody | undefined,
): Promise<object> {
  const current = await refreshCaller(app, caller);
  authorize(current, call);
  try {
    return await read({ app, caller: current }, input, file?.bytes);
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === CODE.invalid) await file?.drain();
    throw error;
  }
}

/** @throws Refused 413 once more arrives */
async function* limitBytes(raw: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max) throw refuse(refusals.tooLarge);
    yield chunk;
  }
}

async function drain(raw: IncomingMessage, max: number): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > max) return;
    }
  } catch {
    // The client has left.
  }
}
