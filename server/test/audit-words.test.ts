import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { auditActions } from '@hengtai/contract/house/audit/calls';
import { auditFieldText, auditRecordText } from '@hengtai/contract/house/audit/words';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { nouns } from '@hengtai/contract/index';
import * as schemasByNoun from '@hengtai/contract/nouns.schema';
import { Ms } from '@hengtai/contract/wire/schema';
import { targetTypes } from '@hengtai/contract/authority/target';
import type { TSchema } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import type { RegisteredAction } from '../src/actions/action.ts';
import { approvableActions, handlers } from '../src/modules.ts';

type Handler = { name: string } | { each: RegisteredAction<never, unknown> };

const calls = Object.entries(nouns).flatMap(([noun, specs]) =>
  Object.entries<CallSpec>(specs).map(([name, call]) => ({ noun, name, call })),
);

/** Returns the names under which the audit log records a call's action and its refusals. */
function auditNamesOf(noun: string, name: string, call: CallSpec): string[] {
  const handler = handlers[noun]?.[name] as Handler | undefined;
  const action = handler && typeof handler === 'object' && ('each' in handler ? handler.each.name : handler.name);
  if (typeof action === 'string') return [action];
  // A read is audited only when it is refused for a missing ability. All exports share one action name.
  return call.ability !== undefined && call.kind !== 'export' ? [`${noun}.${name}`] : [];
}

/** Audit names that jobs, logins and events write without an action, found in the source text. */
function findDirectAuditNames(): string[] {
  const root = fileURLToPath(new URL('../src/', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(`${root}${file}`, 'utf8').matchAll(/\baction: '([a-z]+\.[a-zA-Z.]+)'/g)])
    .map(([, name = '']) => name)
    .filter((name) => !/^[a-z]\.[a-z_]+$/.test(name));
}

test('every recorded action has a Chinese name', () => {
  const names = [
    ...calls.flatMap(({ noun, name, call }) => auditNamesOf(noun, name, call)),
    ...approvableActions.keys(),
    ...findDirectAuditNames(),
    'export',
  ];
  expect(names.length).toBeGreaterThan(40);
  const unnamed = [...new Set(names)].filter((name) => !Object.hasOwn(auditActions, name));
  expect(unnamed).toEqual([]);
  for (const name of Object.values(auditActions)) expect(name).toMatch(/[\u4e00-\u9fff]/);
});

test('every audit target type has a Chinese name', () => {
  const types = calls.flatMap(({ noun, call }) => [
    ...(call.target === undefined ? [] : [call.target]),
    ...(call.kind === 'action' ? [noun] : []),
  ]);
  expect([...new Set(types)].filter((type) => !Object.hasOwn(targetTypes, type))).toEqual([]);
});

/** All properties of a schema by name, also of those in lists and alternatives. */
const propertiesOf = (schema: TSchema | undefined): (readonly [string, TSchema])[] => [
  ...Object.entries<TSchema>(schema?.['properties'] ?? {}).flatMap(([name, value]) => [
    [name, value] as const,
    ...propertiesOf(value),
  ]),
  ...propertiesOfParts(schema),
];
function propertiesOfParts(schema: TSchema | undefined): (readonly [string, TSchema])[] {
  const parts: TSchema[] = [...(schema?.['items'] ? [schema['items']] : []), ...(schema?.['anyOf'] ?? [])];
  return parts.flatMap(propertiesOf);
}

/** The properties that an action may record. */
const recordableProperties = () => {
  const schemas: Readonly<Record<string, Record<string, { input?: TSchema; output: TSchema }>>> =
    schemasByNoun as never;
  return calls
    .filter(({ call }) => call.kind === 'action')
    .flatMap(({ noun, name }) => [
      ...propertiesOf(schemas[noun]?.[name]?.output),
      ...propertiesOf(schemas[noun]?.[name]?.input),
    ]);
};

test('every field that an action may record has a Chinese label', () => {
  const fields = recordableProperties().map(([name]) => name);
  expect(fields.length).toBeGreaterThan(500);
  const textOf = (field: string) => auditFieldText({ action: 'export' }, field);
  expect([...new Set(fields)].filter((field) => !/[\u4e00-\u9fff]|^IP$/.test(textOf(field)))).toEqual([]);
});

test('every time that an action may record is written as a time', () => {
  const isTime = ({ description, anyOf }: TSchema): boolean =>
    description === Ms.description || ((anyOf as TSchema[] | undefined)?.some(isTime) ?? false);
  const times = recordableProperties().flatMap(([name, schema]) => (isTime(schema) ? [name] : []));
  expect(times).toEqual(expect.arrayContaining(['createdAt', 'expire']));
  const subject = { targetType: null, action: 'export' };
  const textOf = (field: string) => auditRecordText(subject, { [field]: 1_800_000_000_000 }, () => 'time');
  expect([...new Set(times)].filter((field) => !textOf(field).endsWith('：time'))).toEqual([]);
  // Recorded without a schema: the filter of an export, and the time that a schedule was due.
  expect(['from', 'to', 'slot'].map(textOf)).toEqual(['开始时间：time', '结束时间：time', '计划时间：time']);
});
