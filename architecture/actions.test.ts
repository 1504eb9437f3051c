import type { ActionFacts } from '@hengtai/contract/authority/action';
import { type NamedAction, allActions } from '@hengtai/contract/authority/actions';
import { policies } from '@hengtai/contract/desk/approval/calls';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import { targetTypes } from '@hengtai/contract/authority/target';
import { describe, expect, test } from 'vitest';
import { read, sources } from './files.ts';

const calls = Object.entries(nouns).flatMap(([noun, specs]) =>
  Object.entries<CallSpec>(specs).map(([name, call]) => ({ name: `${noun}.${name}`, call })),
);
/** Calls that can change something. The session's own reads have the same kind, but are answered to GET. */
const changing = calls.filter(
  ({ call }) => call.kind === 'action' || (call.kind === 'session' && call.method === 'POST'),
);
const factsOf = (name: string): NamedAction | undefined => allActions.find(({ call }) => call === name);

/** The facts that a call shares with its action. A bulk call has its own summary. */
const sharedFacts = (facts: ActionFacts): [string, unknown][] =>
  Object.entries(facts).filter(([key]) => !['summary', 'call', 'name'].includes(key));

describe('actions', () => {
  test('every changing call has the facts of its action, and every action has a call', () => {
    const withoutFacts = changing.filter(({ name, call }) => {
      const facts = factsOf(call.bulk ? name.replace(/Many$/, '') : name);
      return !facts || !sharedFacts(facts).every(([key, value]) => call[key as keyof CallSpec] === value);
    });
    expect(withoutFacts.map(({ name }) => name)).toEqual([]);
    const called = changing.map(({ name }) => name);
    expect(allActions.map(({ call }) => call).filter((name) => !called.includes(name))).toEqual([]);
  });

  test('facts are complete', () => {
    const incomplete = allActions.flatMap((action) => {
      const { call, target, from, reason, reasons, approvable, guard, short } = action;
      return [
        from && target === undefined && 'states without a target',
        reasons && reason === undefined && 'suggested reasons, but it takes no reason',
        target !== undefined && !Object.hasOwn(targetTypes, target) && 'its target has no label',
        short !== undefined && from === undefined && 'a button in rows without states',
        approvable !== undefined &&
          approvable !== 'approval.lock' &&
          !Object.hasOwn(policies, approvable) &&
          'no policy',
        (guard === 'policy') !== (approvable !== undefined && typeof guard !== 'object') && 'guard and policy differ',
      ].flatMap((problem) => (problem ? [`${call}: ${problem}`] : []));
    });
    expect(incomplete).toEqual([]);
    const names = allActions.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  /** Files with a table whose keys are also names of actions, with what the keys are. */
  const otherTables: Readonly<Record<string, string>> = {
    'contract/src/gateway/commands.schema.ts': 'types of commands to the platform',
    'server/src/programs/four-eyes-settings.ts': 'texts that only the set-up reads, and no page has to load',
  };

  test('no table outside the facts of the nouns repeats facts by action', () => {
    const known = new Set(allActions.flatMap(({ call, name }) => [call, name]));
    const keyed = sources.filter(
      (path) =>
        !path.endsWith('/facts.ts') &&
        [...read(path).matchAll(/^\s*'([a-z]+\.[a-zA-Z.]+)': /gm)].some(([, key = '']) => known.has(key)),
    );
    expect(keyed.filter((path) => !Object.hasOwn(otherTables, path))).toEqual([]);
    expect(Object.keys(otherTables).filter((path) => !keyed.includes(path))).toEqual([]);
  });
});
