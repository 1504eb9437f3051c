/** A part of a text; `isHidden` marks the name of a character that would not be visible. */
export interface TextPart {
  text: string;
  isHidden: boolean;
}

/** Control and format characters (line breaks, changes of direction, zero width), unassigned ones, and unusual spaces. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** Spaces that nobody would see: at the start, at the end, and after another one. */
const HIDDEN_SPACE = /^ +| +$|(?<= ) +/g;

/**
 * Splits a text so that each character of it can be seen.
 *
 * @param isCode addresses and numbers: every character outside ASCII is named as well, because some look like ASCII ones
 */
export function visibleParts(text: string, isCode = false): TextPart[] {
  const hiddenSpaces = new Set(
    [...text.matchAll(HIDDEN_SPACE)].flatMap(({ index, 0: { length } }) => indexesOf(index, length)),
  );
  const parts: TextPart[] = [];
  let at = 0;
  for (const character of text) {
    const isHidden = INVISIBLE.test(character) || hiddenSpaces.has(at) || (isCode && !/^[\x20-\x7e]$/.test(character));
    at += character.length;
    const last = parts.at(-1);
    if (isHidden) parts.push({ text: nameOf(character), isHidden });
    else if (last && !last.isHidden) last.text += character;
    else parts.push({ text: character, isHidden });
  }
  return parts;
}

const indexesOf = (from: number, length: number): number[] => Array.from({ length }, (_, index) => from + index);

const nameOf = (character: string): string => `U+${codeOf(character).toString(16).toUpperCase().padStart(4, '0')}`;

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
