import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Suffix of incomplete files, which are never offered for download. */
const PART = '.part';
const NAME = /^(\d+)-\d+\.(?:xlsx|csv)(?:\.part)?$/;

export const nameOfFile = (job: { id: number; attempt: number; format: string }): string =>
  `${job.id}-${job.attempt}.${job.format}`;

/** Returns the path to write to, and deletes what earlier attempts of the job left. */
export async function prepareFile(
  directory: string,
  job: { id: number; attempt: number; format: string },
): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const { name, id } of await listFiles(directory)) if (id === job.id) await removeFile(directory, name);
  return join(directory, nameOfFile(job) + PART);
}

/** Marks a written file as complete by renaming it. */
export async function completeFile(directory: string, name: string): Promise<void> {
  await rename(join(directory, name + PART), join(directory, name));
}

export async function deleteFile(directory: string, name: string): Promise<void> {
  await removeFile(directory, name + PART);
  await removeFile(directory, name);
}

const removeFile = (directory: string, name: string): Promise<void> => rm(join(directory, name), { force: true });

/** The files of all jobs, incomplete ones included. Other files in the folder are ignored. */
export async function listFiles(directory: string): Promise<{ name: string; id: number }[]> {
  const names = await readdir(directory).catch(() => []);
  return names.flatMap((name) => {
    const id = NAME.exec(name)?.[1];
    return id === undefined ? [] : [{ name, id: Number(id) }];
  });
}

/** Opens a file for reading; undefined if it is not on this machine. */
export async function openFile(directory: string, name: string): Promise<FileHandle | undefined> {
  try {
    return await open(join(directory, name), 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
