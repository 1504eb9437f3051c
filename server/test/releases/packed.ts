import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

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
