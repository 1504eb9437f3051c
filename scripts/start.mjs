// npm start: installs and builds what is missing, then becomes the supervisor of the installation.
import { ensureBuilt } from './tools.mjs';

await ensureBuilt();
process.setSourceMapsEnabled(true);
await import('../server/dist/supervisor.js');
