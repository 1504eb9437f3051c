import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version in the package.json of the installation. Searches upwards, because source and bundle are at different depths. */
export function productVersion(): string {
  for (
    let directory = dirname(fileURLToPath(import.meta.url));
    directory !== dirname(directory);
    directory = dirname(directory)
  ) {
    const path = join(directory, 'package.json');
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string };
    if (manifest.name === 'hengtai') return manifest.version;
  }
  throw new Error('The package.json of HengTai is missing: this installation is not complete.');
}
