import { createServer } from 'node:http';
import { Client } from 'pg';
import { endWithParent } from '../../src/supervisor/parent.ts';

// The least that the supervisor expects of a server.
const server = createServer((request, response) => {
  void (async () => {
    const client = new Client({ connectionString: process.env['DATABASE_URL'] });
    await client.connect();
    await client.query('select 1');
    await client.end();
    response.end(JSON.stringify({ pid: process.pid, path: request.url }));
  })().catch(() => response.writeHead(503).end());
});
server.listen(Number(process.env['PORT']), process.env['HOST']);

const stop = (): void => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
};
process.once('SIGTERM', stop);
endWithParent(stop);
