import { dirname, join } from 'node:path';
import { importsOf } from './files.ts';

/** The first circle of imports among the files, as the paths along it. Imports of types count. */
export function findCircle(paths: readonly string[]): string[] {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] => {
    const start = trail.indexOf(path);
    if (start >= 0) return [...trail.slice(start), path];
    if (done.has(path) || !paths.includes(path)) return [];
    for (const { from } of importsOf(path)) {
      const circle = from.startsWith('.') ? visit(join(dirname(path), from), [...trail, path]) : [];
      if (circle.length > 0) return circle;
    }
    done.add(path);
    return [];
  };
  for (const path of paths) {
    const circle = visit(path, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
