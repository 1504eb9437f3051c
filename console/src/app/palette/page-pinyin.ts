/**
 * Pinyin of the page titles, one syllable per character; Latin letters and digits stand for themselves. A test compares
 * the table with the page table.
 */
export const pagePinyin: Readonly<Record<string, string>> = {
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
