import type { CommandData, CommandResult, ReceivedCommand } from '../../../clients/typescript/src/index.ts';
import { toUnits } from '../shared/decimal.ts';
import type { Journal } from '../shared/journal.ts';
import { type ManagedWithdraw, type ManagementApi, ManagementRefused } from './management.ts';

const DONE: CommandResult = { state: 'done' };
const failed = (reason: string): CommandResult => ({ state: 'failed', reason });

/** States in which Peatio pays or has paid. */
const PAYING: ReadonlySet<string> = new Set(['processing', 'confirming', 'succeed']);
/** States after which Peatio has unlocked the money. */
const RELEASED: ReadonlySet<string> = new Set(['canceled', 'rejected', 'failed']);
/** A worker stopped; the payment may be started again. */
const STOPPED: ReadonlySet<string> = new Set(['skipped', 'errored']);

/** States of `withdraw.reviewed` that need something done. */
const REJECTED = 5;
const REFUNDED = 9;
const WITHHELD = 3;

/** Executes a command of the back office on Peatio, each payout at most once. */
export async function executeCommand(
  command: ReceivedCommand,
  api: ManagementApi,
  journal: Journal,
): Promise<CommandResult> {
  switch (command.type) {
    case 'withdraw.payout':
      return pay(command.data, api, journal);
    case 'withdraw.reviewed':
      return review(command.data, api);
    case 'recharge.reviewed':
      return command.data.state === WITHHELD ? failed('Peatio has credited it: lock the member there') : DONE;
    default:
      return failed(`Peatio has no call for ${command.type}: do it there by hand`);
  }
}

/**
 * Starts the payment. Peatio moves a withdrawal from `accepted` to `processing` once, so a repeated command finds it there. Of a
 * stopped one nobody knows whether this attempt had started, so only the first delivery of an attempt starts it again.
 */
async function pay(
  { no, attempt, amount, address }: CommandData['withdraw.payout'],
  api: ManagementApi,
  journal: Journal,
): Promise<CommandResult> {
  const key = `payout:${no}:${attempt}`;
  const isFirst = journal.note(key) === undefined;
  const withdraw = await find(no, api);
  if ('reason' in withdraw) return withdraw;
  const { state } = withdraw;
  if (PAYING.has(state)) return DONE;
  if (withdraw.rid !== address || toUnits(withdraw.amount) !== toUnits(amount)) {
    return failed('Peatio has another address or amount');
  }
  if (STOPPED.has(state) && !isFirst) return { state: 'unknown', reason: `Peatio: ${state}` };
  if (state !== 'accepted' && !STOPPED.has(state)) return failed(`Peatio: ${state}`);
  journal.add([], { [key]: 'started' });
  return act(no, 'process', api);
}

/** Releases at Peatio what an operator released in the back office. */
async function review({ no, state }: CommandData['withdraw.reviewed'], api: ManagementApi): Promise<CommandResult> {
  if (state !== REJECTED && state !== REFUNDED) return DONE;
  const withdraw = await find(no, api);
  if ('reason' in withdraw) return withdraw;
  if (RELEASED.has(withdraw.state)) return DONE;
  if (state === REFUNDED) return failed(`Peatio: ${withdraw.state}; unlock the money there`);
  return act(no, 'cancel', api);
}

async function find(no: string, api: ManagementApi): Promise<ManagedWithdraw | { state: 'failed'; reason: string }> {
  try {
    return await api.getWithdraw(no);
  } catch (error) {
    return { state: 'failed', reason: textOf(error) };
  }
}

async function act(no: string, action: 'process' | 'cancel', api: ManagementApi): Promise<CommandResult> {
  try {
    await api.act(no, action);
    return DONE;
  } catch (error) {
    return { state: error instanceof ManagementRefused ? 'failed' : 'unknown', reason: textOf(error) };
  }
}

const REASON_MAX = 200;
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX);
