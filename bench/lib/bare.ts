import Fastify from 'fastify';
import { Pool } from 'pg';

/** The message of the benchmark to this process: the statements of each page. */
export interface BareConfig {
  url: string;
  connections: number;
  pages: { text: string; values: readonly unknown[] }[][];
}

/**
 * The baseline of a list: Fastify and pg with the same statements, without session, scope, transaction, row-level security,
 * validation and log.
 */
process.once('message', (message) => {
  void serve(message as BareConfig);
});
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));

async function serve({ url, connections, pages }: BareConfig): Promise<void> {
  const pool = new Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 });
  const server = Fastify();
  server.get('/ready', async () => ({ status: 'ok' }));
  for (const [index, statements] of pages.entries()) {
    server.get(`/${index}`, async () => {
      const results: unknown[][] = [];
      for (const { text, values } of statements) {
        results.push((await pool.query<Record<string, unknown>>(text, [...values])).rows);
      }
      return { code: 200, msg: 'ok', data: { list: results.pop(), summary: results } };
    });
  }
  await server.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
}
