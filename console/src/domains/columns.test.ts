/// <reference types="vite/client" />
import { agent } from '@hengtai/contract/people/agent/calls';
import { binaryContract } from '@hengtai/contract/trading/binary-contract/calls';
import { config } from '@hengtai/contract/desk/config/calls';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { future } from '@hengtai/contract/trading/future/calls';
import { internalTransfer } from '@hengtai/contract/funds/internal-transfer/calls';
import type { ListColumn } from '@hengtai/contract/wire/list';
import { report } from '@hengtai/contract/desk/report/calls';
import { spot } from '@hengtai/contract/trading/spot/calls';
import { user } from '@hengtai/contract/people/user/calls';
import { expect, test } from 'vitest';
import { agentColumns } from './people/agent/columns.tsx';
import { configColumns } from './trading/binary-contract/columns.tsx';
import { historyColumns } from './desk/config/columns.tsx';
import { closeColumns, endedColumns } from './trading/future/columns.tsx';
import { transferColumns } from './funds/internal-transfer/columns.tsx';
import { fundColumns, liabilityColumns, reviewColumns, workColumns } from './desk/report/columns.tsx';
import { fillColumns } from './trading/spot/fill-columns.tsx';
import { userColumns } from './people/user/columns.tsx';

type ListColumns = readonly { key: string; title: string }[];

const toCamelCase = (folder: string): string => folder.replaceAll(/-[a-z]/g, (part) => part.slice(1).toUpperCase());

const modules = import.meta.glob<Record<string, unknown>>('./*/*/columns.tsx', { eager: true });

/** The columns `<noun>Columns` of each resource, with those of the contract's list. */
const derived = Object.entries(modules).flatMap(([path, columnsModule]): [string, ListColumns][] => {
  const noun = toCamelCase(path.split('/')[2] ?? '');
  const columns = columnsModule[`${noun}Columns`];
  return Array.isArray(columns) ? [[noun, columns]] : [];
});
const contracts = import.meta.glob<Record<string, Record<string, CallSpec>>>('../../../contract/src/*/*/calls.ts');

async function loadContractColumns(noun: string): Promise<readonly ListColumn[]> {
  const file = noun.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const path = Object.keys(contracts).find((one) => one.endsWith(`/${file}/calls.ts`)) ?? '';
  const calls = (await contracts[path]?.())?.[noun];
  const list = (calls?.['list'] ?? calls?.['record'])?.list;
  if (!list) throw new Error(`The contract has no list of ${noun}.`);
  return list.columns ?? [];
}

const textOf = (columns: ListColumns): unknown[] => columns.map(({ key, title }) => [key, title]);
const contractTextOf = (columns: readonly ListColumn[]): unknown[] => columns.map(({ field, title }) => [field, title]);

// The columns of a list match the contract, which also defines the columns of exported files.

test('every resource with columns is compared here or below', () => {
  const nouns = Object.keys(modules).map((path) => toCamelCase(path.split('/')[2] ?? ''));
  const missing = nouns.filter((noun) => derived.every(([other]) => other !== noun));
  expect(missing.toSorted()).toEqual(['agent', 'config', 'internalTransfer', 'report', 'user']);
});

test.each(derived)('%s', async (noun, columns) => {
  expect(textOf(columns)).toEqual(contractTextOf(await loadContractColumns(noun)));
});

test.each<[string, ListColumns, readonly ListColumn[]]>([
  ['agent', agentColumns(({ account }) => account), agent.list.list.columns],
  ['config, history', historyColumns, config.history.list.columns],
  ['binary contracts, settings', configColumns, binaryContract.configList.list.columns],
  ['future, ended', endedColumns, future.openHistory.list.columns],
  ['future, closed', closeColumns, future.closeHistory.list.columns],
  ['spot, fills', fillColumns, spot.fills.list.columns],
  ['internalTransfer', transferColumns, internalTransfer.list.list.columns],
  ['report, funds', fundColumns(() => undefined), report.fund.list.columns],
  ['report, work', workColumns, report.work.list.columns],
  ['report, reviews', reviewColumns, report.reviews.list.columns],
  ['report, liabilities', liabilityColumns, report.liability.list.columns],
  ['user', userColumns(undefined, async () => undefined), user.list.list.columns],
])('%s', (_name, columns, contractColumns) => {
  expect(textOf(columns)).toEqual(contractTextOf(contractColumns));
});
