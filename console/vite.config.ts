import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';
import { chunkGroups } from './chunking.ts';
import { kitDark } from './kit-dark.ts';
import { slimKit } from './slim-kit.ts';

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Serves login.html at /login in development; in production the server does this itself. */
const loginDocument: Plugin = {
  name: 'login-document',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (request.url && /^\/login(\?|$)/.test(request.url)) request.url = request.url.replace('/login', '/login.html');
      next();
    });
  },
};

/**
 * Preloads the desk chunk, its imports and its style sheets from index.html, so that the browser does not discover them
 * one after another.
 */
const preloadDesk: Plugin = {
  name: 'preload-desk',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, path }) {
      if (!bundle || path !== '/index.html') return [];
      const chunks = Object.values(bundle).filter((chunk) => chunk.type === 'chunk');
      const desk = chunks.find(({ name }) => name === 'desk');
      if (!desk) throw new Error('the build has no chunk named "desk" (src/app/desk.tsx)');
      const needed = [desk, ...chunks.filter(({ fileName }) => desk.imports.includes(fileName))];
      const scripts = needed.map(({ fileName }) => ['modulepreload', fileName] as const);
      const styles = needed
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        .map((file) => ['stylesheet', file] as const);
      return [...scripts, ...styles]
        .filter(([, file]) => !html.includes(file))
        .map(([rel, file]) => ({ tag: 'link', attrs: { rel, crossorigin: true, href: `/${file}` }, injectTo: 'head' }));
    },
  },
};

export default defineConfig({
  root: resolvePath('.'),
  plugins: [react(), kitDark, slimKit, loginDocument, preloadDesk],
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: { index: resolvePath('index.html'), login: resolvePath('login.html') },
      output: { codeSplitting: { groups: chunkGroups() } },
    },
  },
  server: {
    port: Number(process.env['CONSOLE_PORT'] ?? 5173),
    proxy: { '/api': { target: process.env['SERVER_URL'] ?? 'http://127.0.0.1:8080' } },
  },
});
