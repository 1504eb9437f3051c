#!/usr/bin/env node
// The command line of an installation in a checkout: installs and builds what is missing, then runs server/dist/hengtai.js in
// this process. `hengtai --help` lists the commands.
import { prepareStart } from './start.mjs';
import { ensureUsable } from './tools.mjs';

await (process.argv[2] === 'start' ? prepareStart() : ensureUsable());
process.setSourceMapsEnabled(true);
await import('../server/dist/hengtai.js');
