/** Other names of the countries and regions whose cards are read. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  中国大陆: 'CN',
  中华人民共和国: 'CN',
  chn: 'CN',
  prc: 'CN',
  'mainland china': 'CN',
  香港: 'HK',
  中国香港: 'HK',
  hkg: 'HK',
  'hong kong': 'HK',
  澳门: 'MO',
  中国澳门: 'MO',
  mac: 'MO',
  macau: 'MO',
  macao: 'MO',
  中国台湾: 'TW',
  twn: 'TW',
};
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));

const fold = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

let codes: ReadonlyMap<string, string> | undefined;

/** The ISO 3166 code of two letters of a country by its Chinese or English name or its code; undefined for other texts. */
export function countryOf(name: string): string | undefined {
  codes ??= nameAll();
  return codes.get(fold(name));
}

function nameAll(): Map<string, string> {
  const names = new Map(Object.entries(OTHER_NAMES));
  for (const language of ['zh', 'en']) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
      const name = display.of(code);
      // Codes of countries that are no more are those of their successors.
      const current = Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(4) ?? code;
      if (name !== undefined) names.set(fold(name), current).set(fold(code), current);
    }
  }
  return names;
}
