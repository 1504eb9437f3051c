import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signingPageOf } from '../host/relying-party.ts';
import type { Env } from '../programs/env.ts';
import { type Finding, good, problem, warning } from './finding.ts';

/** The document names the digest of its script, so its own digest stands for the page. */
export const SIGNING_DOCUMENT = 'index.html';
const SUMS = 'SHA256SUMS';
const TIMEOUT_MS = 3_000;

/** Digests of the files of the signing page by name, as the release lists them; undefined if the page is not built. */
export function readSigningSums(consoleDir: string | undefined): ReadonlyMap<string, string> | undefined {
  const path = consoleDir && join(consoleDir, 'signing', SUMS);
  if (!path || !existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** Checks the files of the signing page, here and at SIGNING_URL, against the digests of the release. */
export async function checkSigningPage(
  { signingUrl, publicUrl, port }: Pick<Env, 'signingUrl' | 'publicUrl' | 'port'>,
  consoleDir: string | undefined,
): Promise<Finding> {
  const sums = readSigningSums(consoleDir);
  if (!consoleDir || !sums) return warning('signing page', 'it is not built', 'run "npm run build"');
  const page = signingPageOf(signingUrl, publicUrl, port);
  const name = `SHA-256 ${sums.get(SIGNING_DOCUMENT)}`;
  const changed = [...sums].find(([file, sum]) => sha256(readFileSync(join(consoleDir, 'signing', file))) !== sum);
  if (changed) return problem('signing page', `${changed[0]} of this release was changed`, 'install the release again');
  if (!page) return good('signing page', `${name}; no address of this installation allows passkeys`);
  if (!page.isApart) return good('signing page', `${name}, served by this server at ${page.url}`);
  const served = await Promise.all(
    [...sums].map(async ([file, sum]) => ({ file, sum, found: await fetchSum(page.url, file) })),
  );
  const missing = served.find(({ found }) => found === undefined);
  if (missing) return warning('signing page', `${page.url}${missing.file} does not answer`, 'correct SIGNING_URL');
  const other = served.find(({ sum, found }) => sum !== found);
  return other
    ? problem('signing page', `${page.url}${other.file} is not that of this release`, 'copy console/dist/signing there')
    : good('signing page', `${name}, the same at ${page.url}`);
}

async function fetchSum(url: string, file: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url + (file === SIGNING_DOCUMENT ? '' : file), { signal }).catch(() => undefined);
  if (!response?.ok) return undefined;
  return sha256(Buffer.from(await response.arrayBuffer()));
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
