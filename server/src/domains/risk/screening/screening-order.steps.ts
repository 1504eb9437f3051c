import { KYC_LEVEL } from '@hengtai/contract/risk/kyc/calls';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { type NewCommand, enqueue } from '../../../gateway/command.store.ts';
import { toPayee } from '../../../destination/keys.ts';
import type { Writer } from '../../../gateway/event-batch.ts';
import type { Db } from '../../../database/connect.ts';
import { findListed, isAddressDemanded, isAllowed } from './screening.steps.ts';
import {
  type ScreenSettings,
  type ScreenTarget,
  type ScreenedName,
  type ScreenedWithdraw,
  fetchScreenedWithdraws,
  fetchWaitingNames,
  findScreenSettings,
  insertScreenings,
} from './screening.store.ts';

interface Order {
  /** Null: the system. */
  by: string | null;
  now: number;
}

const dueAtOf = ({ waitMinutes }: ScreenSettings, now: number): number => now + waitMinutes * 60_000;

type RequestData = CommandData['screen.requested'];

/** Records requests about records of one type and orders them from the platform. */
async function orderScreenings<R extends { id: number }>(
  db: Db,
  type: ScreenTarget['type'],
  records: readonly R[],
  settings: ScreenSettings,
  { by, now }: Order,
  dataOf: (record: R) => Omit<RequestData, 'no' | 'dueAt'>,
): Promise<void> {
  if (records.length === 0) return;
  const dueAt = dueAtOf(settings, now);
  const targetIds = records.map(({ id }) => id);
  const ids = await insertScreenings(db, type, targetIds, { by, now, dueAt });
  const commands = records.map((record, index): NewCommand => {
    const data = { ...dataOf(record), no: `S${ids[index]}`, dueAt };
    return { type: 'screen.requested', refType: type, refId: record.id, data, now };
  });
  await enqueue(db, ...commands);
}

const addressData = (row: ScreenedWithdraw): Omit<RequestData, 'no' | 'dueAt'> => {
  const { no: withdraw, account, marketName: market, memo, amount, listedNetworks } = row;
  return { kind: 'address', account, withdraw, market, ...toPayee(listedNetworks, row), memo, amount };
};

const nameData = ({ account, level, name, country }: ScreenedName): Omit<RequestData, 'no' | 'dueAt'> => ({
  kind: 'name',
  account,
  level: level === KYC_LEVEL.advanced ? 2 : 1,
  name,
  country,
});

/** Orders the screening of new withdrawals, as far as it is demanded. */
async function orderDemandedAddresses(db: Db, ids: readonly number[], now: number): Promise<void> {
  const settings = await findScreenSettings(db);
  if (!settings.address) return;
  const rows = await fetchScreenedWithdraws(db, ids);
  const demanded: ScreenedWithdraw[] = [];
  for (const row of rows.filter((one) => isAddressDemanded(settings, one)))
    if (!isAllowed(await findListed(db, row, now))) demanded.push(row);
  await orderScreenings(db, 'withdraw', demanded, settings, { by: null, now }, addressData);
}

/** Orders the screening of the waiting submissions of users, if it is demanded. */
async function orderDemandedNames(db: Db, userIds: readonly number[], now: number): Promise<void> {
  const settings = await findScreenSettings(db);
  if (!settings.name) return;
  await orderScreenings(db, 'auth', await fetchWaitingNames(db, userIds), settings, { by: null, now }, nameData);
}

/** Orders one more screening of a record, whether it is demanded or not. */
export async function orderAgain(db: Db, record: ScreenTarget, userId: number, order: Order): Promise<void> {
  const settings = await findScreenSettings(db);
  if (record.type === 'withdraw')
    await orderScreenings(db, 'withdraw', await fetchScreenedWithdraws(db, [record.id]), settings, order, addressData);
  else await orderScreenings(db, 'auth', await fetchWaitingNames(db, [userId]), settings, order, nameData);
}

/** Orders the screening of requested withdrawals in the transaction of the request. Comes before the candidates. */
export const addressScreenings: Writer<{ id: number; now: number }> = {
  tables: ['screening', 'command', 'config', 'address_entry', 'address_entry_key', 'withdraw', 'users', 'market'],
  isLast: true,
  write: (db, withdraws) =>
    orderDemandedAddresses(
      db,
      withdraws.map(({ id }) => id),
      withdraws[0]?.now ?? 0,
    ),
};

/** Orders the screening of submitted names in the transaction of the submission. */
export const nameScreenings: Writer<{ userId: number; now: number }> = {
  tables: ['screening', 'command', 'config', 'auth', 'users'],
  isLast: true,
  write: (db, submissions) =>
    orderDemandedNames(
      db,
      submissions.map(({ userId }) => userId),
      submissions[0]?.now ?? 0,
    ),
};
