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

export default defineConfig({
  root: at('.'),
  plugins: [react(), loginDocument],
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
