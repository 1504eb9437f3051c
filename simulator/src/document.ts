import { Canvas } from './image.ts';
import type { Random } from './random.ts';

/** Identity data of an invented customer. */
export interface IdentityData {
  name: string;
  country: string;
  idType: 1 | 2 | 3;
  idNumber: string;
  /** The name in Latin capitals, as printed on the document. */
  latin: string;
  /** YYYYMMDD. */
  born: string;
  isWoman: boolean;
}

const SURNAMES =
  '王wang 李li 张zhang 刘liu 陈chen 杨yang 赵zhao 黄huang 周zhou 吴wu 徐xu 孙sun 胡hu 朱zhu 高gao 林lin 何he 郭guo 马ma 罗luo 梁liang 宋song 郑zheng 谢xie 韩han 唐tang 冯feng 于yu 董dong 萧xiao 程cheng 曹cao 袁yuan 邓deng 许xu 傅fu 沈shen 曾zeng 彭peng 吕lv 欧阳ouyang 司徒situ'.split(
    ' ',
  );
const GIVEN =
  '伟wei 芳fang 娜na 敏min 静jing 强qiang 磊lei 洋yang 艳yan 勇yong 军jun 杰jie 娟juan 涛tao 明ming 超chao 霞xia 平ping 刚gang 辉hui 玲ling 婷ting 浩hao 宇yu 欣xin 怡yi 晨chen 雪xue 凯kai 健jian 琳lin 文wen 志zhi 国guo 海hai 云yun 峰feng 龙long 梅mei 丽li'.split(
    ' ',
  );
const ABROAD: readonly { country: string; first: readonly string[]; last: readonly string[] }[] = [
  { country: '新加坡', first: ['Wei Ling', 'Jun Jie', 'Aisha', 'Marcus'], last: ['Tan', 'Lim', 'Ng', 'Goh'] },
  { country: '马来西亚', first: ['Siti', 'Ahmad', 'Mei Yee', 'Kumar'], last: ['Abdullah', 'Wong', 'Rahman', 'Lee'] },
  { country: '日本', first: ['Haruto', 'Yui', 'Sota', 'Aoi'], last: ['Sato', 'Suzuki', 'Takahashi', 'Ito'] },
  { country: '越南', first: ['Van Minh', 'Thi Lan', 'Duc Anh'], last: ['Nguyen', 'Tran', 'Pham'] },
  { country: '英国', first: ['Oliver', 'Amelia', 'Harry'], last: ['Smith', 'Taylor', 'Evans'] },
];
const FOREIGN_SHARE = 0.11;
const DIGITS = '0123456789';
const [HAN, LATIN] = [/^\p{Script=Han}+/u, /[a-z]+$/];

export function createIdentity(dice: Random, isForeign = dice.chance(FOREIGN_SHARE)): IdentityData {
  const isWoman = dice.chance(0.42);
  const born = `${dice.int(1962, 2004)}${padTwo(dice.int(1, 12))}${padTwo(dice.int(1, 28))}`;
  if (isForeign) {
    const { country, first, last } = dice.pick(ABROAD);
    const name = `${dice.pick(first)} ${dice.pick(last)}`;
    const idType = dice.chance(0.82) ? 2 : 3;
    // No country issues document numbers with these prefixes.
    const idNumber = `${idType === 2 ? 'ZZ' : 'QQ'}${dice.text(DIGITS, 7)}`;
    return { name, country, idType, idNumber, latin: name.toUpperCase(), born, isWoman };
  }
  const parts = [dice.pick(SURNAMES), dice.pick(GIVEN), ...(dice.chance(0.6) ? [dice.pick(GIVEN)] : [])];
  const name = parts.map((part) => HAN.exec(part)?.[0] ?? '').join('');
  const [surname = '', ...givenNames] = parts.map((part) => LATIN.exec(part)?.[0] ?? '');
  const latin = `${surname} ${givenNames.join('')}`.toUpperCase();
  const idType = dice.weighted([[1, 92] as const, [2, 6] as const, [3, 2] as const]);
  const resident = generateResidentNumber(dice, born, isWoman);
  const idNumber = idType === 2 ? `ZZ${dice.text(DIGITS, 7)}` : resident;
  return { name, country: '中国', idType, idNumber, latin, born, isWoman };
}

const padTwo = (number: number): string => String(number).padStart(2, '0');
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

const PROVINCES = ['11', '31', '32', '33', '44', '51'] as const;

/** A resident number of nobody: its check digit is valid, its region does not exist, because no city of a province is 99. */
function generateResidentNumber(dice: Random, born: string, isWoman: boolean): string {
  const order = dice.int(0, 499) * 2 + (isWoman ? 0 : 1);
  const body = `${dice.pick(PROVINCES)}99${dice.text(DIGITS, 2)}${born}${String(order).padStart(3, '0')}`;
  return body + checkDigitOf(body);
}

/** The check digit of an 18-digit resident number (GB 11643); `body` is the first 17 digits. */
export const checkDigitOf = (body: string): string =>
  '10X98765432'.charAt(WEIGHTS.reduce((sum, weight, index) => sum + weight * Number(body[index]), 0) % 11);

const PALETTE = [
  'e8edf2',
  '1d2633',
  '5b6b80',
  'c9d6e4',
  '8fa8c4',
  'b3261e',
  'f2c9a5',
  '2c3e50',
  'd8e6dc',
  'ffffff',
  'e3b58c',
];
const COLORS = {
  ground: 0,
  ink: 1,
  grey: 2,
  line: 3,
  blue: 4,
  red: 5,
  skin: 6,
  hair: 7,
  green: 8,
  white: 9,
  shade: 10,
};
const TITLES = { 1: 'RESIDENT IDENTITY CARD', 2: 'PASSPORT', 3: 'DRIVING LICENCE' } as const;
const [WIDTH, HEIGHT] = [560, 352];
const CLOTHES = [COLORS.hair, COLORS.blue, COLORS.grey, COLORS.red] as const;

export interface DocumentImages {
  front: string;
  back: string;
  holding?: string;
}

interface PhotoOptions {
  /** Draws the document partly outside the image, like photos that get rejected. */
  isCropped: boolean;
  /** Adds an image of the customer holding the document. */
  withHolder: boolean;
}

/** Draws the images of an identity document; each is stamped SAMPLE. */
export function drawDocuments(
  identity: IdentityData,
  dice: Random,
  { isCropped, withHolder }: PhotoOptions,
): DocumentImages {
  const clothes = dice.pick(CLOTHES);
  const front = new Canvas(WIDTH, HEIGHT, PALETTE);
  drawFront(front, identity, clothes, isCropped ? -dice.int(90, 170) : 0);
  const back = new Canvas(WIDTH, HEIGHT, PALETTE);
  drawBack(back, identity);
  const images = { front: front.png(), back: back.png() };
  if (!withHolder) return images;
  const holding = new Canvas(WIDTH, HEIGHT, PALETTE);
  drawHolding(holding, identity, clothes);
  return { ...images, holding: holding.png() };
}

function drawFront(canvas: Canvas, identity: IdentityData, clothes: number, offsetX: number): void {
  const { idType, latin, born, isWoman, idNumber } = identity;
  for (let y = 8; y < HEIGHT; y += 12) canvas.box(0, y, WIDTH, 1, COLORS.line);
  canvas.box(0, 0, WIDTH, 44, COLORS.blue);
  canvas.text(22 + offsetX, 15, TITLES[idType], COLORS.white);
  canvas.box(378 + offsetX, 74, 150, 190, COLORS.line);
  drawPerson(canvas, 453 + offsetX, 156, 1, clothes);
  canvas.box(378 + offsetX, 264, 150, 90, COLORS.ground);
  for (let y = 272; y < HEIGHT; y += 12) canvas.box(378 + offsetX, y, 150, 1, COLORS.line);
  const rows = [
    ['NAME', latin],
    ['SEX', isWoman ? 'F' : 'M'],
    ['BORN', `${born.slice(0, 4)}-${born.slice(4, 6)}-${born.slice(6)}`],
    ['COUNTRY', identity.country === '中国' ? 'CHN' : 'INTL'],
  ] as const;
  rows.forEach(([label, value], index) => {
    canvas.text(24 + offsetX, 76 + index * 44, label, COLORS.grey, 1);
    canvas.text(24 + offsetX, 90 + index * 44, value, COLORS.ink, latin.length > 20 && index === 0 ? 2 : 3);
  });
  stampSample(canvas);
  canvas.text(24 + offsetX, 276, 'NUMBER', COLORS.grey, 1);
  canvas.text(24 + offsetX, 292, idNumber, COLORS.ink, 4);
}

function drawBack(canvas: Canvas, { idType, latin, idNumber }: IdentityData): void {
  for (let y = 8; y < HEIGHT; y += 12) canvas.box(0, y, WIDTH, 1, COLORS.green);
  canvas.ellipse(96, 104, 54, 54, COLORS.red);
  canvas.ellipse(96, 104, 44, 44, COLORS.ground);
  canvas.ellipse(96, 104, 22, 22, COLORS.red);
  canvas.text(180, 72, TITLES[idType], COLORS.ink, 2);
  canvas.text(180, 108, 'ISSUED BY: NO SUCH AUTHORITY', COLORS.grey, 2);
  canvas.text(180, 138, 'VALID: 2021-01-01 / 2041-01-01', COLORS.grey, 2);
  stampSample(canvas);
  canvas.box(0, 268, WIDTH, 84, COLORS.white);
  canvas.text(18, 284, `ID<<${latin.replaceAll(' ', '<')}`.padEnd(43, '<'), COLORS.ink, 2);
  canvas.text(18, 314, `${idNumber}<<0`.padEnd(43, '<'), COLORS.ink, 2);
}

function drawHolding(canvas: Canvas, { idNumber, latin }: IdentityData, clothes: number): void {
  canvas.box(0, 0, WIDTH, HEIGHT, COLORS.green);
  drawPerson(canvas, 180, 150, 2, clothes);
  canvas.box(268, 168, 236, 148, COLORS.white);
  canvas.box(268, 168, 236, 22, COLORS.blue);
  canvas.box(430, 204, 58, 74, COLORS.line);
  canvas.ellipse(459, 230, 14, 17, COLORS.skin);
  canvas.text(280, 206, latin.slice(0, 22), COLORS.ink, 1);
  canvas.text(280, 226, idNumber, COLORS.ink, 1);
  canvas.ellipse(262, 262, 24, 17, COLORS.skin);
  stampSample(canvas);
}

function drawPerson(canvas: Canvas, x: number, y: number, size: 1 | 2, clothes: number): void {
  canvas.ellipse(x, y + 92 * size, 62 * size, 52 * size, clothes);
  canvas.box(x - 12 * size, y + 26 * size, 24 * size, 26 * size, COLORS.shade);
  canvas.ellipse(x, y - 6 * size, 36 * size, 44 * size, COLORS.hair);
  canvas.ellipse(x, y + 2 * size, 30 * size, 38 * size, COLORS.skin);
  for (const side of [-1, 1]) canvas.ellipse(x + side * 12 * size, y - 2 * size, 3 * size, 3 * size, COLORS.ink);
  canvas.box(x - 8 * size, y + 20 * size, 16 * size, 2 * size, COLORS.red);
}

const stampSample = (canvas: Canvas): void => canvas.stamp(132, 158, 'SAMPLE', COLORS.red, 8);
