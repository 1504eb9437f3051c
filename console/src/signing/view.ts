import { type TextPart, visibleParts } from './visible-text.ts';

/** What the page shows, as plain data, so that tests compare it with what is signed. */
export interface View {
  title: string;
  lead: string;
  blocks: Block[];
}

export interface Block {
  title: string;
  /** What the block is about, such as a person or a coin. Shown as code. */
  subject?: string;
  /** Added, removed: parts of a change. */
  tag?: 'added' | 'removed' | 'kept';
  rows: Row[];
}

/** `value` and `coin` come from the text that is signed, except where `value` is in words of this page. */
export interface Row {
  label: string;
  value: string;
  /** The coin of an amount. */
  coin?: string;
  /** code: what is compared character by character, such as persons and addresses; large: what counts most. */
  look?: 'code' | 'large' | 'changed';
}

export const titleParts = ({ title, subject }: Block): TextPart[] => [
  ...visibleParts(title),
  ...(subject === undefined ? [] : codeAfter(title, subject)),
];

export const valueParts = ({ value, coin, look }: Row): TextPart[] => [
  ...visibleParts(value, look === 'code'),
  ...(coin === undefined ? [] : codeAfter(value, coin)),
];

const codeAfter = (before: string, code: string): TextPart[] => [
  ...(before === '' ? [] : [{ text: ' ', isHidden: false }]),
  ...visibleParts(code, true),
];

/** A moment of the person's clock, with its distance from UTC. */
export function timeText(ms: number): string {
  const at = new Date(ms);
  const minutes = -at.getTimezoneOffset();
  const local = new Date(ms + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const sign = minutes < 0 ? '-' : '+';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}（UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}）`;
}
