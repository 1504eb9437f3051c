import { facts } from '@hengtai/contract/facts';
import { notificationSpecs } from '@hengtai/contract/desk/notify/notification';
import { targetTypes } from '@hengtai/contract/authority/target';

const names = [...Object.keys(facts), ...Object.keys(targetTypes), ...Object.keys(notificationSpecs)];
const words = [...new Set(names)].map((name) => name.replaceAll('.', String.raw`\.`));

/** The names of devices are no names of the code. */
const CAMEL_CASE = String.raw`(?!(?:macOS|iOS|iPhone|iPad)\b)[a-z]+[A-Z]\w*`;
const SNAKE_CASE = '[a-z]+_[a-z_]+';

/** A word ends before `@`, `-`, `/` and a dot within a name, since accounts, addresses and files are made of such words. */
const wordOf = (alternatives: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\w.@/-])(?:${alternatives.join('|')})(?![\w@/-]|\.\w)`);

/** Names of the code in a message: nouns, kinds of records, types of notifications, and names in camel case. */
export const INTERNAL_WORD = wordOf([...words, CAMEL_CASE]);

/** The same in a cell, and names in snake case; messages may name accounts that look like them. */
export const INTERNAL_WORD_IN_CELL = wordOf([...words, CAMEL_CASE, SNAKE_CASE]);

/** Fields that people, wallets, browsers and operators fill, alone or within a recorded state. */
export const FREE_FIELDS: ReadonlySet<string> = new Set(
  `account toAccount agent agentRoot parentAccount root by secondBy haltedBy updatedBy operator
  maker checker remark reason memo address txHash no closeNo requestId network rules
  userAgent name title content answer signalTitle text idNumber country before after
  beforeStr afterStr`.split(/\s+/),
);
