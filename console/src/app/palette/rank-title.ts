/** Whether the letters consist of a prefix, at least one letter, of each syllable in order. */
function matchesSyllables(letters: string, syllables: readonly string[]): boolean {
  if (letters === '') return true;
  const [first, ...rest] = syllables;
  if (first === undefined) return false;
  for (let length = Math.min(first.length, letters.length); length > 0; length -= 1) {
    if (letters.startsWith(first.slice(0, length)) && matchesSyllables(letters.slice(length), rest)) return true;
  }
  return false;
}

/**
 * Rank of a title for the input, lower is better; undefined if it does not match. Chinese is matched against the title,
 * Latin letters against the syllables: `tixian`, `txjl` and `tixjl` all match 提现记录.
 */
export function rankTitle(title: string, pinyin: string, input: string): number | undefined {
  const text = input.toLowerCase().replaceAll(/\s+/g, '');
  if (text === '') return undefined;
  const position = title.toLowerCase().indexOf(text);
  if (position >= 0) return position === 0 ? 0 : 1;
  if (!/^[a-z0-9]+$/.test(text)) return undefined;
  const syllables = pinyin.split(' ');
  const start = syllables.findIndex((_, index) => matchesSyllables(text, syllables.slice(index)));
  return start < 0 ? undefined : start === 0 ? 2 : 3;
}

/** Whether the input is part of the title itself, or all its syllables or their initials. */
export function isNameOf(title: string, pinyin: string, input: string): boolean {
  const text = input.toLowerCase().replaceAll(/\s+/g, '');
  const syllables = pinyin.split(' ');
  const initials = syllables.map((syllable) => syllable.charAt(0)).join('');
  return text !== '' && (title.toLowerCase().includes(text) || text === syllables.join('') || text === initials);
}
