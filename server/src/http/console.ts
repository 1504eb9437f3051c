import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SIGNING_PATH } from '../host/relying-party.ts';

/**
 * Serves the built console and the signing page. Hashed files are cached for a year; the documents are revalidated on each
 * request. The returned function says whether a path without a route is a page of the console.
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
    // The build writes its manifest to .vite, which must not be served.
    dotfiles: 'ignore',
    // The build writes .br and .gz files next to the originals.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(directory, 'assets'));
      reply.setHeader('vary', 'accept-encoding');
      reply.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const login = existsSync(join(directory, 'login.html')) ? 'login.html' : 'index.html';
  const isPage = (method: string, url: string): boolean =>
    (method === 'GET' || method === 'HEAD') &&
    !/^\/(api|platform|assets)\//.test(url) &&
    // A path with a file extension requests a file; the query string does not count.
    !/\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '');
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.sendFile(/^\/login($|[/?])/.test(request.url) ? login : 'index.html');
  // The static route refuses directories, so the root needs its own.
  server.get('/', { exposeHeadRoute: true }, async (request, reply) => send(request, reply));
  server.get(SIGNING_PATH, { exposeHeadRoute: true }, async (_request, reply) => reply.sendFile('signing/index.html'));
  // Browsers request it even if the page names another icon.
  server.get('/favicon.ico', { exposeHeadRoute: false }, async (_request, reply) =>
    reply.type('image/svg+xml').sendFile('mark.svg'),
  );
  return Object.assign(isPage, { send });
}
