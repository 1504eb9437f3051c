import type { Family } from '@hengtai/contract/values/destination';

const BLANK = /\p{White_Space}/u;
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
const INVISIBLE_OR_BLANK = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{White_Space}]/u;

/** Unlike `trim`, it keeps U+FEFF, which is no blank but a format character. */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text.charAt(start))) start++;
  while (end > start && BLANK.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * The first character that an address or memo may not contain, as `U+200B at 5` with its place among the characters, from 1;
 * undefined if there is none. Format, control and ignorable characters are refused in both, blanks inside an address only.
 */
export function findRefusedCharacter(text: string, field: 'address' | 'memo'): string | undefined {
  const refused = field === 'address' ? INVISIBLE_OR_BLANK : INVISIBLE;
  const characters = Array.from(trimBlanks(text));
  const index = characters.findIndex((character) => refused.test(character));
  const code = characters[index]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return code === undefined ? undefined : `U+${code} at ${index + 1}`;
}

/** A parameter that BIP 21 demands a reader to know is in none of these. */
const plainLink = (scheme: string): RegExp => new RegExp(`^${scheme}:([a-z0-9]+)(?:\\?(?!(?:.*&)?req-).*)?$`, 'is');

const LINKS: Partial<Record<Family, RegExp>> = {
  // EIP 681. A function call names a contract there, not who is paid.
  evm: /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@\d+)?(?:\?.*)?$/is,
  bitcoin: plainLink('bitcoin'),
  litecoin: plainLink('litecoin'),
  dogecoin: plainLink('dogecoin'),
  // The scheme is part of the address.
  bitcoincash: /^(bitcoincash:[a-z0-9]+)\?(?!(?:.*&)?req-).*$/is,
};

/** The text to pay to: a payment link without all but its address, any other text as typed, without blanks at its ends. */
export function bareAddress(family: Family, address: string): string {
  const text = trimBlanks(address);
  return LINKS[family]?.exec(text)?.[1] ?? text;
}
