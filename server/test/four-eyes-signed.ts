import type { Line, Lines } from './four-eyes-lines.ts';
import { changed, kindOf, spell, withoutGroup } from './four-eyes-reach.ts';

/** Compares what an approval made with what it signed. */

/** The lines that an approval stored; null for a record that it removes. */
export type SignedResult = Readonly<Record<string, Line | null>>;

/**
 * Describes how the records differ from what an approval signed: a line that is not as signed, or one that changed without
 * being signed.
 */
export function findUnsigned(previous: Lines, current: Lines, result: SignedResult): string | undefined {
  const signed = signedLines(result, current);
  for (const [line, fields] of signed) {
    const made = line.includes(':new:') ? findNew(line, fields, previous, current) : current[line];
    const wrong = compareSigned(line, fields, made);
    if (wrong !== undefined) return wrong;
  }
  const covered = new Set(signed.map(([line]) => line));
  return changedLines(previous, current)
    .filter((line) => !covered.has(line) && !follows(line, signed, previous, current))
    .map((line) => `${line} changed, which was not signed`)[0];
}

const changedLines = (previous: Lines, current: Lines): string[] =>
  [...new Set([...Object.keys(previous), ...Object.keys(current)])].filter(
    (line) => kindOf(line) !== 'use' && spell(previous[line]) !== spell(current[line]),
  );

/** The lines of a result, and those that it names inside: terms of a member, the policy behind a limit, a budget. */
const signedLines = (result: SignedResult, lines: Lines): [line: string, fields: Line | null][] =>
  Object.entries(result).flatMap(([line, fields]): [string, Line | null][] => {
    if (kindOf(line) === 'agent.grant' && fields?.['state'] === 0) return [[line, null]];
    if (kindOf(line) === 'autoPayout') return [[line, { ...fields, ...(fields?.['budget'] as Line | null) }]];
    if (kindOf(line) === 'plan.grant') return [[line, fields && {}]];
    const terms = Object.entries((fields?.['terms'] ?? {}) as Record<string, Line>);
    const policy = fields?.['policy'] as Line | undefined;
    const behind = policy && lines[line] && findPolicyLine(lines[line], lines);
    return [[line, fields], ...terms, ...(policy && behind !== undefined ? [[behind, policy] as [string, Line]] : [])];
  });

const findPolicyLine = ({ key }: Line, lines: Lines): string | undefined =>
  Object.keys(lines).find((line) => lines[line]?.['key'] === `policy.${String(key).replace(/^\w+\./, '')}`);

function compareSigned(line: string, fields: Line | null, made: Line | undefined): string | undefined {
  if (!fields) return made && `${line} is there, which was signed away`;
  // The file of a list is no record.
  if (!made) return kindOf(line) === 'addressImport' ? undefined : `${line} is missing, which was signed`;
  const field = Object.keys(fields).find((name) => name in made && changed(fields[name], made[name]));
  return (
    field &&
    `${line} was signed with ${field} ${JSON.stringify(fields[field])}, and became ${JSON.stringify(made[field])}`
  );
}

const addedLines = (kind: string, previous: Lines, current: Lines): string[] =>
  Object.keys(current).filter((line) => kindOf(line) === kind && !(line in previous));

const findNew = (line: string, fields: Line | null, previous: Lines, current: Lines): Line | undefined =>
  addedLines(kindOf(line), previous, current)
    .map((added) => current[added])
    .find((made) => made && compareSigned(line, fields, made) === undefined);

/** Whether a change follows from what was signed: the one new record, and the limits of a group that has no own ones. */
function follows(line: string, signed: readonly [string, Line | null][], previous: Lines, current: Lines): boolean {
  const kind = kindOf(line);
  if (kind === 'limit') {
    // A group without terms is as no group, whose line is signed.
    const isInherited = (lines: Lines) => !lines[line] || spell(lines[line]) === spell(lines[withoutGroup(line)]);
    if (current[line]) return isInherited(previous) && isInherited(current);
    return signed.some(([one, to]) => one === `userGroup:${line.split(':')[3]}` && !to);
  }
  const isNew = signed.some(([one]) => kindOf(one) === kind && one.includes(':new:'));
  return isNew && addedLines(kind, previous, current).length === 1 && !previous[line];
}
