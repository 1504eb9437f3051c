import { type RawBuilder, sql } from 'kysely';

/** Characters of each end of a shortened address. */
const END_LENGTH_MIN = 4;
/** From this length on, `find_by_ends` looks for both ends of addresses and hashes. */
export const ENDS_LENGTH_MIN = 6;

const SHORTENED = new RegExp(`^(.{${END_LENGTH_MIN},}?)(?:…|\\.{3})(.{${END_LENGTH_MIN},})$`, 'u');

export interface AddressEnds {
  /** Empty: only the end is known. */
  head: string;
  tail: string;
}

/** Reads `0x24f0…00f4`, with an ellipsis or three dots, or the last four or five characters of an address. */
export function readAddressEnds(text: string): AddressEnds | undefined {
  const [, head, tail] = SHORTENED.exec(text) ?? [];
  if (head !== undefined && tail !== undefined) return { head, tail };
  const isTail = text.length >= END_LENGTH_MIN && text.length < ENDS_LENGTH_MIN;
  return isTail ? { head: '', tail: text } : undefined;
}

/** Rows `ref_type` and `id` of withdrawals and recharges to the accounts whose addresses end so, each at most `most`. */
export const findByAccountEnds = ({ head, tail }: AddressEnds, most: number): RawBuilder<unknown> =>
  sql`find_by_account_ends(${head}, ${tail}, ${most})`;
