/**
 * How the titles of pages are typed in Latin letters, a syllable for each character; Latin letters and digits stand for
 * themselves. A test compares them with the table of pages, so that a new page cannot be forgotten.
 */
export const pageWords: Readonly<Record<string, string>> = {
  '/home': 'shou ye',
  '/agent': 'dai li guan li',
  '/user': 'yong hu lie biao',
  '/auth': 'yong hu ren zheng',
  '/recharge': 'chong zhi ji lu',
  '/withdraw': 'ti xian ji lu',
  '/fund/record': 'zi jin ji lu',
  '/internalTransfer': 'nei bu zhuan zhang ming xi',
  '/market': 'shi chang guan li',
  '/market/add': 'xin zeng shi chang',
  '/plan': 'feng kong ji hua',
  '/trade/order': 'xian huo jiao yi',
  '/future/wait': 'dang qian wei tuo',
  '/future/open': 'dang qian chi cang',
  '/future/open_history': 'wei tuo li shi',
  '/future/close_history': 'ping cang li shi',
  '/second/config': 'miao he yue she zhi',
  '/second/open': 'miao he yue jin xing zhong',
  '/second/close': 'miao he yue li shi',
  '/ieo/review': 'ren gou shen he',
  '/ieo/history': 'ren gou li shi',
  '/announce': 'gong gao guan li',
  '/announce/add': 'xin zeng gong gao',
  '/config': 'xi tong she zhi',
  '/config/history': 'she zhi bian geng ji lu',
  '/approval': 'fu he',
  '/alarm': 'gao jing',
  '/command': 'ping tai zhi ling',
  '/audit': 'shen ji ri zhi',
  '/session': 'deng lu hui hua',
  '/report': 'bao biao',
  '/service': 'ke fu',
  '/signal': 'xin hao',
  '/follow': 'gen dan',
};

/** Whether the letters are typed from these syllables on: of each its beginning, the first letter at least. */
function typedFrom(letters: string, syllables: readonly string[]): boolean {
  if (letters === '') return true;
  const [first, ...rest] = syllables;
  if (first === undefined) return false;
  for (let length = Math.min(first.length, letters.length); length > 0; length -= 1) {
    if (letters.startsWith(first.slice(0, length)) && typedFrom(letters.slice(length), rest)) return true;
  }
  return false;
}

/**
 * How well a title answers what was typed, the smaller the better; undefined where it does not. Chinese is looked for in
 * the title, Latin letters in its syllables: `tixian`, `txjl` and `tixjl` all mean 提现记录.
 */
export function rankOf(title: string, words: string, typed: string): number | undefined {
  const text = typed.toLowerCase().replaceAll(/\s+/g, '');
  if (text === '') return undefined;
  const at = title.toLowerCase().indexOf(text);
  if (at >= 0) return at === 0 ? 0 : 1;
  if (!/^[a-z0-9]+$/.test(text)) return undefined;
  const syllables = words.split(' ');
  const start = syllables.findIndex((_, index) => typedFrom(text, syllables.slice(index)));
  return start < 0 ? undefined : start === 0 ? 2 : 3;
}
