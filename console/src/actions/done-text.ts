import { formatPlain, shorten } from '../ui/value/decimal.ts';

/** The server's message of a success that says nothing more. */
const GENERIC = '操作成功';

interface Done {
  /** Message of the server. */
  msg: string;
  title: string;
  verb: string;
  amounts?: readonly { value: string; unit: string }[] | undefined;
}

/** What a dialog has done: `已通过提现 #1629 · 740 USDT`. A message of the server that says more is kept. */
export function doneText({ msg, title, verb, amounts = [] }: Done): string {
  if (msg !== GENERIC) return msg;
  const what = title.startsWith(verb) ? `已${title}` : `已${verb} · ${title}`;
  const sums = amounts
    .filter(({ value }) => formatPlain(value) !== '0')
    .map(({ value, unit }) => `${shorten(value, 8)} ${unit}`.trim());
  return [what, ...sums].join(' · ');
}
