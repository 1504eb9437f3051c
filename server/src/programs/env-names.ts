import { simulatorVariables } from '@hengtai/contract/gateway/simulator';
import { variables } from './env.ts';

/** Set by the supervisor for its children and by `npm run dev`. */
const INTERNAL = ['PLATFORM_URL', 'SERVER_URL'];
const known = [...Object.keys(variables), ...simulatorVariables, ...INTERNAL];
const knownNames = new Set(known);

/** Prefixes that no common program uses for its variables. */
const PREFIXES = /^(ADMIN|AUDIT|DATABASE|CHANNEL|EXPORT|HENGTAI|OIDC|OTP|PLATFORM|SIMULATOR|TRUST)_/;

/** Shorter names may belong to other programs: HOSTNAME and PORTS are no mistakes. */
const TRUNCATED_MIN_LENGTH = 5;
const TRUNCATED_MAX_MISSING = 3;

/** A warning for each variable that is set but unknown and looks like one of ours. Values do not appear. */
export function findUnknownVariables(source: Record<string, string | undefined>): string[] {
  return Object.entries(source).flatMap(([name, value]) => {
    if (value === undefined || value.trim() === '' || knownNames.has(name)) return [];
    const intended = findIntended(name);
    if (intended !== undefined) return [`${name} is not a variable of HengTai; did you mean ${intended}?`];
    return PREFIXES.test(name) ? [`${name} is not a variable of HengTai and has no effect.`] : [];
  });
}

/** Finds the known name that this one truncates or misspells. */
function findIntended(name: string): string | undefined {
  const isTruncated = (knownName: string): boolean =>
    name.length >= TRUNCATED_MIN_LENGTH &&
    knownName.startsWith(name) &&
    knownName.length - name.length <= TRUNCATED_MAX_MISSING;
  const [best] = known
    .filter((knownName) => isTruncated(knownName) || countEdits(name, knownName) <= editsAllowed(name, knownName))
    .sort((a, b) => countEdits(name, a) - countEdits(name, b));
  return best;
}

/** Short names allow no edit, because one letter can make another word. One of our prefixes allows more edits. */
function editsAllowed(name: string, knownName: string): number {
  if (knownName.length >= 9) return PREFIXES.test(name) ? 3 : 2;
  return knownName.length >= 7 ? 1 : 0;
}

/** Levenshtein distance, with two swapped neighbours counted as one edit. */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let edits = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + cost);
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwapped) edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    before = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
