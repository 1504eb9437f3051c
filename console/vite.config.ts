import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';
import { chunkGroups } from './chunking.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The login is a document of its own; the server knows that by itself, the development server learns it here. */
const loginDocument: Plugin = {
  name: 'login-document',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (request.url && /^\/login(\?|$)/.test(request.url)) request.url = request.url.replace('/login', '/login.html');
      next();
    });
  },
};

/** The document names what the start asks for in any case, so that it is not asked for one after the other. */
const prefetchDesk: Plugin = {
  name: 'desk-ahead',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle, path }) {
      if (!bundle || path !== '/index.html') return [];
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const desk = chunks.find(({ name }) => name === 'desk');
      if (!desk) throw new Error('what begins the console is not in the build');
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
  root: at('.'),
  plugins: [react(), loginDocument, prefetchDesk],
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      input: { index: at('index.html'), login: at('login.html') },
      output: { codeSplitting: { groups: chunkGroups() } },
    },
  },
  server: {
    port: Number(process.env['CONSOLE_PORT'] ?? 5173),
    proxy: { '/api': { target: process.env['SERVER_URL'] ?? 'http://127.0.0.1:8080' } },
  },
});
