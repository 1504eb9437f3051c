import { dictionary } from '@zxcvbn-ts/language-common';
import { refuseField } from '../app/refuse.ts';

let breached: ReadonlySet<string> | undefined;

/** The most frequent passwords of published breaches, in lower case. The list ships with the product: nothing is asked online. */
const breachedPasswords = (): ReadonlySet<string> => (breached ??= new Set(dictionary['passwords-common']));

/** Full-width and other compatibility forms become the plain ones, and capitals small letters. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Punctuation, blanks and invisible characters at the ends make no word hard to guess. */
const trimEnds = (text: string): string => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Why a password is easy to guess, as a Chinese text for the operator; undefined when it passes every rule. */
export function weaknessOf(password: string, account: string): string | undefined {
  const whole = fold(password);
  const word = trimEnds(whole);
  // Some passwords of breaches have punctuation at an end.
  if ([password.toLowerCase(), whole, word].some((text) => breachedPasswords().has(text)))
    return '属于常见或已泄露的密码';
  if (new Set(word === '' ? whole : word).size === 1) return '只是同一个字符的重复';
  const name = trimEnds(fold(account));
  if (name !== '' && word.startsWith(name) && /^\d*$/.test(word.slice(name.length))) return '只是账号，或账号加数字';
  return undefined;
}

/** @throws Refused 422 when the new password of an operator is easy to guess */
export function refuseWeak(field: string, password: string, account: string): void {
  const weakness = weaknessOf(password, account);
  if (weakness !== undefined) throw refuseField(field, `过于简单：${weakness}`);
}

/** The message after a user's password was set. A weak one is accepted, with a warning. */
export function warnWeak(password: string, account: string): { msg?: string } {
  const weakness = weaknessOf(password, account);
  return weakness === undefined ? {} : { msg: `操作成功。请注意：该密码过于简单，${weakness}` };
}
