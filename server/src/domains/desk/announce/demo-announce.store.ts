import { ANNOUNCE } from '@hengtai/contract/desk/announce/facts';
import { imageSrcOf } from '@hengtai/contract/desk/announce/markup';
import type { AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { Db } from '../../../database/connect.ts';
import { sendAnnounce } from './announce-command.ts';
import { type AnnounceItem, findWholeAnnounce, insertAnnounce } from './announce.store.ts';
import { encodePixels } from './image-encoder.rules.ts';
import { insertImage, recordUses } from './image.store.ts';

const DAY_MS = 86_400_000;
const BANNER = { width: 960, height: 240 };
const BANNER_KEY = '0'.repeat(32);

type Demo = Pick<AnnounceItem, 'lang' | 'title' | 'content'>;

/** The languages of each announcement, with what they share. */
const demosAt = (now: number): { shared: Omit<AnnounceItem, keyof Demo>; langs: Demo[] }[] => [
  {
    shared: { platform: 0, state: ANNOUNCE.published, pinned: 0, publishAt: null },
    langs: [
      {
        lang: 'zh-CN',
        title: '关于谨防冒充客服的提醒',
        content:
          '<p><span data-color="red"><strong>官方客服不会索要密码或验证码。</strong></span></p><ul><li>请只通过站内客服联系我们</li><li>如已泄露，请立即修改密码</li></ul>',
      },
    ],
  },
  {
    shared: { platform: 0, state: ANNOUNCE.draft, pinned: 0, publishAt: now + 2 * DAY_MS },
    langs: [
      {
        lang: 'zh-CN',
        title: '系统升级维护通知',
        content:
          '<h2 data-align="center">系统升级维护</h2><p>升级期间<span data-color="orange">充值与提现将暂停约 30 分钟</span>，交易不受影响。</p>',
      },
      {
        lang: 'en',
        title: 'Scheduled maintenance',
        content:
          '<h2 data-align="center">Scheduled maintenance</h2><p>Deposits and withdrawals <span data-color="orange">pause for about 30 minutes</span>; trading continues.</p>',
      },
    ],
  },
  {
    shared: { platform: 0, state: ANNOUNCE.published, pinned: 1, publishAt: null },
    langs: [
      ['zh-CN', '欢迎使用演示平台', '行情、用户和资金都是模拟的，可以放心试用每一项操作。'],
      ['zh-TW', '歡迎使用示範平台', '行情、用戶和資金都是模擬的，可以放心試用每一項操作。'],
      ['en', 'Welcome to the demonstration', 'Prices, users and funds are simulated: feel free to try everything.'],
    ].map(([lang = '', title = '', text = '']) => ({
      lang,
      title,
      content: `<p data-align="center"><img src="${imageSrcOf(BANNER_KEY)}" alt="${title}" width="${BANNER.width}" height="${BANNER.height}"></p><p>${text}</p>`,
    })),
  },
];

/**
 * Writes the first announcements of a demo in the name of the admin: a pinned one with an image, a scheduled one and a
 * simple one. They are stored, sent and audited like those of an operator.
 */
export async function writeDemoAnnouncements(db: Db, auditContext: Parameters<typeof recordAudit>[1]): Promise<void> {
  const { rows: admins } = await sql<{ account: string }>`select account from agent where parent_id is null`.execute(
    db,
  );
  const [admin] = admins;
  if (!admin) return;
  const { now } = auditContext;
  const writer = { db, now, operator: admin };
  await insertImage(writer, BANNER_KEY, await encodePixels(drawBanner(), BANNER));
  for (const { shared, langs } of demosAt(now)) {
    const rows: AnnounceRow[] = [];
    for (const demo of langs) {
      const id = await insertAnnounce(writer, { ...demo, ...shared }, rows[0]?.id ?? null);
      if (demo.content.includes(BANNER_KEY)) await recordUses(writer, id, [BANNER_KEY]);
      const row = await findWholeAnnounce(db, id);
      if (!row) throw new Error(`The demo announcement ${id} does not exist.`);
      await sendAnnounce(db, row, now);
      rows.push(row);
    }
    await recordAudit(db, auditContext, {
      action: 'announce.add',
      result: CODE.ok,
      targetType: 'announce',
      targetId: rows[0]?.id,
      after: { announceList: rows },
      reason: '演示数据',
    });
  }
}

/** Rising bars on a blue ground. */
function drawBanner(): Uint8Array {
  const { width, height } = BANNER;
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const bar = Math.floor(x / 48);
      const top = height - 30 - bar * 8 - 24 * Math.sin(bar);
      const isBar = x % 48 > 12 && y > top && y < height - 24;
      const shade = Math.round((x / width) * 50);
      pixels.set(
        isBar ? [120, 190 + (shade >> 1), 255, 255] : [20 + shade, 50 + shade, 120 + shade, 255],
        (y * width + x) * 4,
      );
    }
  }
  return pixels;
}
