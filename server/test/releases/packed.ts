import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Keeps the backup of a release as one file of paths and base64 contents. */
export async function packBackup(release: string, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files: Record<string, string> = {};
  for (const path of paths.sort()) files[relative(folder, path)] = await readFile(path, 'base64');
  await writeFile(pathOf(`${release}.json`), `${JSON.stringify(files, null, 2)}\n`);
}

/** Writes the packed backup of a release to an empty folder. */
export async function unpackBackup(release: string, folder: string): Promise<void> {
  const files = JSON.parse(await readFile(pathOf(`${release}.json`), 'utf8')) as Record<string, string>;
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, 'base64');
  }
}

/** Statements of a database of the last revision before version 0.1.0, as its 68 migrations made it. */
export async function readUnsquashedDatabase(appRole: string): Promise<string> {
  const statements = gunzipSync(await readFile(pathOf('unsquashed.sql.gz'))).toString();
  return statements.replaceAll('{{app}}', () => `"${appRole}"`);
}
