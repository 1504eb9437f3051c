// Runs a plugin as the plugin process of HollaEx Kit does: its script is evaluated in a context with the objects that the kit's
// documents name. Arguments: file of the plugin, values of `meta` as JSON. Prints the address of the plugin's routes.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';

const [file, values] = process.argv.slice(2);
const plugin = JSON.parse(readFileSync(file, 'utf8'));
for (const [name, value] of Object.entries(JSON.parse(values))) plugin.meta[name].value = value;

const routes = new Map();
const add =
  (method) =>
  (path, ...handlers) =>
    routes.set(`${method} ${path}`, handlers);
const say = (...texts) => console.error(...texts);

const context = {
  app: { get: add('GET'), post: add('POST') },
  // A bearer token of this host is the id of a user.
  toolsLib: {
    security: {
      verifyBearerTokenExpressMiddleware: () => (request, response, next) => {
        const id = /^Bearer (\d+)$/.exec(request.headers.authorization ?? '')?.[1];
        if (!id) return response.status(401).json({ message: 'not authorized' });
        request.auth = { sub: { id: Number(id) } };
        return next();
      },
    },
  },
  loggerPlugin: { info: say, verbose: say, error: say },
  meta: plugin.meta,
  publicMeta: plugin.public_meta,
  installedLibraries: {},
  console,
  process,
  require: createRequire(import.meta.url),
};
runInContext(plugin.script, createContext(context), { filename: plugin.name });

async function answer(request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString();
  request.body = text === '' ? {} : JSON.parse(text);
  const reply = {
    status: (code) => ((response.statusCode = code), reply),
    json: (data) => response.setHeader('content-type', 'application/json').end(JSON.stringify(data)),
  };
  const handlers = routes.get(`${request.method} ${request.url}`) ?? [];
  const run = (index) => handlers[index]?.(request, reply, () => run(index + 1));
  if (handlers.length === 0) reply.status(404).json({ message: 'not found' });
  else run(0);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
