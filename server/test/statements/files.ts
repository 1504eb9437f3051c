import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementSite } from './declared.ts';
import { type Shape, mergeShapes } from './shape.ts';

export const DECLARED_FILE = 'declared.json';

/** What a statement returned: the shape of its row, and the names of its columns in order. */
export interface Observation {
  id: string;
  columns: string[];
  row: Shape;
}

export function readSites(directory: string): StatementSite[] {
  return JSON.parse(readFileSync(join(directory, DECLARED_FILE), 'utf8')) as StatementSite[];
}

/** Reads what all workers of a run recorded. One statement has an observation for each list of columns. */
export function readObservations(directory: string): Observation[] {
  const merged = new Map<string, Observation>();
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(directory, name), 'utf8').split('\n').filter(Boolean)) {
      const next = JSON.parse(line) as Observation;
      const key = [next.id, ...next.columns].join('\n');
      const earlier = merged.get(key);
      merged.set(key, earlier ? { ...next, row: mergeShapes(earlier.row, next.row) } : next);
    }
  }
  return [...merged.values()];
}
