// Run by `npm install`: makes git use the hooks in scripts/hooks. Does nothing in CI, outside a git checkout, or if other
// hooks are configured.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function isConfigured() {
  try {
    return git('config', '--get', 'core.hooksPath') !== '';
  } catch {
    return false;
  }
}

try {
  const isCheckout = realpathSync(git('rev-parse', '--show-toplevel')) === realpathSync(root);
  if (!process.env['CI'] && isCheckout && !isConfigured()) git('config', 'core.hooksPath', 'scripts/hooks');
} catch {
  // Without git or a checkout there is nothing to set up.
}
