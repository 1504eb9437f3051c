/** The form of data of chains of the kind of Ethereum. Numbers are texts in hexadecimal, addresses in lower case. */

export interface EvmTransaction {
  hash: string;
  from: string;
  /** Null: creates a contract. */
  to: string | null;
  value: string;
}

/** An event `Transfer` of an ERC-20 token. */
export interface TransferLog {
  /** The contract. */
  address: string;
  /** The event, sender and receiver. */
  topics: readonly string[];
  data: string;
  transactionHash: string;
  logIndex: string;
}

/** Hash of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** First bytes of the hash of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';
const ADDRESS_DIGITS = 40;
const WORD_DIGITS = 64;
/** Decimals that the back office takes. */
const MOST_DECIMALS = 18;

const toWord = (address: string): string => address.slice(2).padStart(WORD_DIGITS, '0');
const toAddress = (word: string): string => `0x${word.slice(-ADDRESS_DIGITS)}`;

/** The filters of events from, and to, these addresses. */
export function topicsOf(addresses: readonly string[]): (string | string[] | null)[][] {
  const words = addresses.map((address) => `0x${toWord(address)}`);
  return [
    [TRANSFER, words],
    [TRANSFER, null, words],
  ];
}

/** The call that reads the balance of a token. */
export const balanceCall = (contract: string, address: string): { to: string; data: string } => ({
  to: contract,
  data: `${BALANCE_OF}${toWord(address)}`,
});

/** A whole number of the smallest unit as the amount of the back office. @throws above 18 decimals */
export function amountText(units: bigint, decimals: number): string {
  if (decimals > MOST_DECIMALS) throw new Error(`a coin with ${decimals} decimals is not covered`);
  const one = 10n ** BigInt(decimals);
  const fraction = (units % one).toString().padStart(decimals, '0').replace(/0+$/, '');
  return `${units / one}${decimals === 0 || fraction === '' ? '' : `.${fraction}`}`;
}

export interface Transfer {
  from: string;
  to: string;
  /** In the smallest unit. */
  value: bigint;
  txHash: string;
  /** Number of the event in its block; absent for the chain's own coin. */
  index?: number;
}

/**
 * The transfers of a coin in a block.
 *
 * @param receipts of the transactions that count; those of the chain's own coin without one are left out
 */
export function listTransfers(
  { contract }: { contract?: string },
  logs: readonly TransferLog[],
  transactions: readonly EvmTransaction[],
  receipts: ReadonlyMap<string, { isOk: boolean }>,
): Transfer[] {
  if (contract === undefined)
    return transactions.flatMap(({ hash, from, to, value }) =>
      to !== null && receipts.get(hash)?.isOk ? [{ from, to, value: BigInt(value), txHash: hash }] : [],
    );
  return logs
    .filter((log) => log.address === contract)
    .map(({ topics: [, from = '', to = ''], data, transactionHash, logIndex }) => ({
      from: toAddress(from),
      to: toAddress(to),
      value: BigInt(data),
      txHash: transactionHash,
      index: Number(logIndex),
    }));
}
