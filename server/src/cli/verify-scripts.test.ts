import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));

// /opt/hengtai is a link to the folder of a release. A script that does nothing there would look like a success.
test.each(['verify-audit.mjs', 'verify-liability.mjs', 'verify-payout.mjs', 'verify-solvency.mjs'])(
  '%s runs in a folder that is a link',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'linked-'));
    try {
      symlinkSync(scripts, join(folder, 'scripts'));
      const { status, stdout, stderr } = spawnSync(process.execPath, [
        join(folder, 'scripts', name),
        join(folder, 'none'),
      ]);
      expect(status).toBe(2);
      expect(`${stdout.toString()}${stderr.toString()}`).not.toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
