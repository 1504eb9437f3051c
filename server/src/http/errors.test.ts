import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import { refusals } from '@hengtai/contract/wire/refusals';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { asRefusal, handleErrors } from './errors.ts';

const withCode = (code: string): Error => Object.assign(new Error('the database is away'), { code });

test.each([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  // The server stops; PgBouncer has no server; the primary became a standby.
  '57P01',
  '08P01',
  '25006',
])('answers 503 for %s, because a retry can succeed', (code) => {
  expect(asRefusal(withCode(code)).refusal).toBe(refusals.unavailable);
});

test.each([
  'Connection terminated unexpectedly',
  'Query read timeout',
  'The database is a standby: it cannot serve writes.',
])('answers 503 for "%s"', (message) => {
  expect(asRefusal(new Error(message)).refusal).toBe(refusals.unavailable);
});

test.each(['23505', '42P01', '080001', ''])('answers 500 for code "%s", which a retry does not mend', (code) => {
  expect(asRefusal(withCode(code)).refusal).toBe(refusals.internalError);
});

let server: FastifyInstance | undefined;
afterEach(() => server?.close());

interface LogLine {
  level: number;
  msg: string;
}

/** The log of a server whose client disconnects while its answer, a stream, is compressed. */
async function logOfLeftAnswer(): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  server = fastify({ logger: { level: 'debug', stream } });
  await server.register(compress, { threshold: 0 });
  handleErrors(server);
  server.post('/rows', async (request, reply) => {
    const { socket } = request.raw;
    reply.type('application/json');
    return Readable.from(
      (async function* () {
        yield 'rows';
        client.destroy();
        await once(socket, 'close');
        yield 'more rows';
      })(),
    );
  });
  const { hostname, port } = new URL(await server.listen());
  const client = connect(Number(port), hostname);
  client.write(
    'POST /rows HTTP/1.1\r\nhost: rows\r\naccept-encoding: gzip\r\ncontent-type: text/plain\r\ncontent-length: 1\r\n\r\n1',
  );
  await expect.poll(() => lines.some(({ msg }) => /^request (failed|aborted)/.test(msg))).toBe(true);
  return lines;
}

test('a client that does not wait for its answer is no error of the server', async () => {
  const lines = await logOfLeftAnswer();
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
});
