import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Serves the built console: hashed files for ever, the two documents never from a cache. The returned function says
 * whether a path that nothing answers to is one of the console's own addresses.
 */
export async function mountConsole(
  server: FastifyInstance,
  directory: string,
): Promise<
  ((method: string, url: string) => boolean) & { send: (request: FastifyRequest, reply: FastifyReply) => FastifyReply }
> {
  await server.register(fastifyStatic, {
    root: directory,
    index: false,
    wildcard: true,
    cacheControl: false,
    // The build leaves its manifest in .vite.
    dotfiles: 'ignore',
    // The build has laid them there.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(directory, 'assets'));
      reply.setHeader('vary', 'accept-encoding');
      reply.setHeader('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const login = existsSync(join(directory, 'login.html')) ? 'login.html' : 'index.html';
  const isPage = (method: string, url: string): boolean =>
    (method === 'GET' || method === 'HEAD') &&
    !/^\/(api|platform|assets)\//.test(url) &&
    // A name with an ending asks for a file; what a query holds says nothing of that.
    !/\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '');
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.sendFile(/^\/login($|[/?])/.test(request.url) ? login : 'index.html');
  // The files' own route answers a directory with a refusal.
  server.get('/', { exposeHeadRoute: true }, async (request, reply) => send(request, reply));
  // Browsers ask for it by habit, whatever the page names.
  server.get('/favicon.ico', { exposeHeadRoute: false }, async (_request, reply) =>
    reply.type('image/svg+xml').sendFile('mark.svg'),
  );
  return Object.assign(isPage, { send });
}
