const UNITS = [
  [86_400_000, '天'],
  [3_600_000, '小时'],
  [60_000, '分'],
] as const;

/** Formats milliseconds exactly: `1小时2分3.004秒`. */
export function exactDuration(ms: number): string {
  let rest = ms;
  let text = '';
  for (const [unit, word] of UNITS) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) text += `${count}${word}`;
  }
  if (text !== '' && rest === 0) return text;
  const thousandths = String(rest % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${text}${Math.floor(rest / 1000)}${thousandths && `.${thousandths}`}秒`;
}

/** Formats milliseconds in the two largest units: `1小时2分`, `3秒`. */
export function roughDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds}秒`;
  const first = UNITS.findIndex(([unit]) => ms >= unit);
  const [unit, word] = UNITS[first] ?? UNITS[2];
  const [next, nextWord] = UNITS[first + 1] ?? [1000, '秒'];
  const count = Math.floor((ms % unit) / next);
  return `${Math.floor(ms / unit)}${word}${count > 0 ? `${count}${nextWord}` : ''}`;
}
