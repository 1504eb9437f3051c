// Checks commit subjects: `area: imperative, at most 72 characters`.
// Without an argument: checks all commits since this file was added. With the path of a message: checks that message.
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SUBJECT_MAX = 72;
const FORM = /^[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*: ([\p{Ll}\p{N}][^ ]*)(?: .*)?$/u;
/** Imperatives that end like a participle. */
const IMPERATIVES = ['bring', 'embed', 'exceed', 'feed', 'need', 'proceed', 'seed', 'shed', 'speed'];

/** Why a subject breaks the rule; undefined if it does not. Merges keep git's own subject. */
export function problemOf(subject) {
  const own = subject.replace(/^(?:fixup|squash|amend)! /, '');
  if (/^(?:Merge|Revert) /.test(own)) return undefined;
  if ([...own].length > SUBJECT_MAX) return `has ${[...own].length} characters instead of at most ${SUBJECT_MAX}`;
  const [, verb] = FORM.exec(own) ?? [];
  if (verb === undefined) return 'is not `area: imperative` with both parts in lower case';
  if (own.endsWith('.')) return 'ends with a full stop';
  if (/(?:ing|ed)$/.test(verb) && !IMPERATIVES.includes(verb)) return `begins with "${verb}" instead of an imperative`;
  return undefined;
}

/**
 * The subjects of all commits since this check was added, newest first; empty outside a git checkout. In a shallow clone the
 * oldest commit counts as the one that added it.
 */
export function listSubjects(root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  let added;
  try {
    // An archive unpacked inside another checkout must not use that checkout's history.
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(root)) return [];
    added = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/commit-subjects.mjs').split('\n').at(-1);
  } catch {
    return [];
  }
  if (!added) return [];
  const later = git('log', '--no-merges', '--ancestry-path', '--format=%s', `${added}..HEAD`);
  return [...later.split('\n'), git('log', '-1', '--format=%s', added)].filter((subject) => subject !== '');
}

function main([path]) {
  const subjects =
    path === undefined
      ? listSubjects(fileURLToPath(new URL('..', import.meta.url)))
      : [readFileSync(path, 'utf8').split('\n')[0]];
  const problems = subjects.flatMap((subject) => {
    const problem = problemOf(subject);
    return problem === undefined ? [] : [`The commit subject "${subject}" ${problem}.`];
  });
  if (problems.length > 0) console.error([...problems, 'See CONTRIBUTING.md, section Commits.'].join('\n'));
  return problems.length === 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href)
  process.exitCode = main(process.argv.slice(2));
