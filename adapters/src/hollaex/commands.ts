import type { CommandData, CommandResult, ReceivedCommand } from '../../../clients/typescript/src/index.ts';
import { decimalText } from '../shared/decimal.ts';
import type { Journal } from '../shared/journal.ts';
import { type ExchangeApi, ExchangeRefused, type Movement } from './api.ts';
import { type Coins, isTransfer, userIdOf } from './mapping.ts';

const DONE: CommandResult = { state: 'done' };
const failed = (reason: string): CommandResult => ({ state: 'failed', reason });
/** State of `recharge.reviewed`. */
const WITHHELD = 3;

/** Note with the withdrawal of the back office that a withdrawal of the exchange pays. */
export const noteOfWithdrawal = (id: number): string => `withdrawal:${id}`;

/** Executes a command of the back office on the exchange, each payout at most once. */
export async function executeCommand(
  command: ReceivedCommand,
  api: ExchangeApi,
  journal: Journal,
  coins: Coins,
): Promise<CommandResult> {
  switch (command.type) {
    case 'withdraw.payout':
      return pay(command.data, api, journal, coins);
    case 'withdraw.reviewed':
      return DONE;
    case 'recharge.reviewed':
      return command.data.state === WITHHELD ? failed('HollaEx has credited it: freeze the user there') : DONE;
    case 'user.updated':
      return freeze(command.data, api);
    default:
      return failed(`HollaEx has no call for ${command.type}: do it there by hand`);
  }
}

/**
 * Creates the withdrawal at the exchange. That call has no idempotency key, so what was started is stored before it, and after
 * a crash the withdrawal is looked for; if it is not there, nobody knows whether it still comes.
 */
async function pay(
  payout: CommandData['withdraw.payout'],
  api: ExchangeApi,
  journal: Journal,
  coins: Coins,
): Promise<CommandResult> {
  const { no, attempt, account, market, network, address } = payout;
  const key = `payout:${no}:${attempt}`;
  const started = journal.note(key);
  const currency = Object.entries(coins).find(([, coin]) => coin.market === market)?.[0];
  const amount = Number(payout.amount);
  if (currency === undefined) return failed(`${market} is not in the settings of the plugin`);
  if (decimalText(amount) !== decimalText(payout.amount))
    return failed('HollaEx cannot take an amount of so many digits');
  const call = { user_id: userIdOf(account), currency, amount, address, network };
  const link = (id: number): CommandResult => {
    journal.add([], { [noteOfWithdrawal(id)]: no, [key]: `${id}` });
    return DONE;
  };
  if (started?.startsWith('started ')) {
    const found = await findWithdrawal(call, started.slice('started '.length), api, journal);
    return found ? link(found.id) : { state: 'unknown', reason: 'HollaEx does not list it yet' };
  }
  if (started?.startsWith('refused ')) return failed(started.slice('refused '.length));
  if (started !== undefined) return DONE;
  journal.add([], { [key]: `started ${new Date().toISOString()}` });
  try {
    return link((await api.withdraw(call)).id);
  } catch (error) {
    const reason = textOf(error);
    if (!(error instanceof ExchangeRefused)) return { state: 'unknown', reason };
    journal.add([], { [key]: `refused ${reason}` });
    return failed(reason);
  }
}

/** The only withdrawal of these details since a time that pays nothing else. */
async function findWithdrawal(
  call: { user_id: number; currency: string; amount: number; address: string },
  startDate: string,
  api: ExchangeApi,
  journal: Journal,
): Promise<Movement | undefined> {
  const { user_id, currency, amount, address } = call;
  const query = { user_id: String(user_id), currency, address, start_date: startDate };
  const found: Movement[] = [];
  for await (const one of api.listMovements('withdrawals', query)) {
    const isOther = one.amount !== amount || isTransfer(one) || journal.note(noteOfWithdrawal(one.id)) !== undefined;
    if (!isOther) found.push(one);
  }
  return found.length === 1 ? found[0] : undefined;
}

async function freeze({ account, state }: CommandData['user.updated'], api: ExchangeApi): Promise<CommandResult> {
  try {
    await api.activateUser(userIdOf(account), state === 1);
    return DONE;
  } catch (error) {
    return failed(textOf(error));
  }
}

const REASON_MAX = 200;
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX);
