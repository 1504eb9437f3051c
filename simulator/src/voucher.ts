import { D } from './amount.ts';
import type { Random } from './random.ts';

const SURNAMES = '张 王 李 赵 陈 刘 杨 黄 周 吴 徐 孙 马 朱 胡 郭 何 林 高 罗'.split(' ');
const LAST = '伟 芳 娜 敏 静 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 秀 霞 平 刚 桂 英 华'.split(' ');
// Invented names; no such banks exist.
const BANKS = ['华裕银行', '江海城市银行', '汇川银行', '东岭商业银行'];
const INK = ['#b3272d', '#1f5fa8', '#0f7a5a', '#8a5a12'];
/** Yuan per US dollar on the slips. */
const RATE = '7.18';

export interface TransferSlip {
  bank: string;
  card: string;
  picture: string;
}

/** Draws a bank transfer slip as an SVG `data:` URL, with masked names and a note that it is simulated. */
export function drawTransferSlip(dice: Random, amount: string, at: number, account: string): TransferSlip {
  const chosen = dice.int(0, BANKS.length - 1);
  const bank = BANKS[chosen] ?? '';
  const card = `6217 **** **** ${dice.text('0123456789', 4)}`;
  const name = `${dice.pick(SURNAMES)}*${dice.chance(0.6) ? dice.pick(LAST) : ''}`;
  const yuan = new D(amount)
    .mul(RATE)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  const rows: [string, string][] = [
    ['付款人', name],
    ['付款账户', card],
    ['收款人', '衡*服务有限公司'],
    ['收款账户', `6228 **** **** ${dice.text('0123456789', 4)}`],
    ['转账时间', localTime(at)],
    ['交易流水号', `${localTime(at).replace(/\D/g, '').slice(0, 8)}${dice.text('0123456789', 12)}`],
    ['附言', account.length > 20 ? `${account.slice(0, 18)}…` : account],
  ];
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSlip(bank, INK[chosen] ?? '#333', yuan, rows)).toString('base64')}`;
  return { bank, card, picture };
}

const localTime = (at: number): string => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const stripMarkup = (text: string): string => text.replace(/[<>&"]/g, '');

function renderSlip(bank: string, ink: string, yuan: string, rows: readonly [string, string][]): string {
  const lines = rows
    .map(([label, value], index) => {
      const y = 262 + index * 46;
      return `<text x="32" y="${y}" fill="#8a8f99">${label}</text><text x="388" y="${y}" text-anchor="end" fill="#23262d">${stripMarkup(value)}</text><path d="M32 ${y + 16}H388" stroke="#eceef1"/>`;
    })
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 640" width="420" height="640" font-family="'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif" font-size="15"><rect width="420" height="640" fill="#f3f4f6"/><rect width="420" height="74" fill="${ink}"/><text x="210" y="46" font-size="19" text-anchor="middle" fill="#fff">${bank} · 电子回单</text><rect x="16" y="92" width="388" height="528" rx="10" fill="#fff"/><circle cx="210" cy="130" r="20" fill="#2fa56b"/><path d="M200 130l7 8 13-15" fill="none" stroke="#fff" stroke-width="3.5"/><text x="210" y="176" text-anchor="middle" fill="#2fa56b">转账成功</text><text x="210" y="220" text-anchor="middle" font-size="31" font-weight="600" fill="#15171c">¥ ${yuan}</text>${lines}<text x="210" y="604" text-anchor="middle" font-size="11" fill="#b6bac2">模拟数据 · 仅用于演示</text></svg>`;
}
