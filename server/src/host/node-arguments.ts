import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Arguments of Node for a program: TypeScript runs through tsx, a bundle directly. */
export function nodeArguments(entry: string, rest: string[] = []): string[] {
  const loader = entry.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : ['--enable-source-maps'];
  return [...loader, entry, ...rest];
}
