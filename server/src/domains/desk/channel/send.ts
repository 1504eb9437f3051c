import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@hengtai/contract/desk/channel/calls';
import { createTransport } from 'nodemailer';
import type { App } from '../../../app/context.ts';
import { isAllowedDomain } from './address.rules.ts';
import type { Delivery } from './delivery.store.ts';
import { decryptTarget } from './target.steps.ts';
import { type Message, messageOf, messageText } from './message.rules.ts';
import { BlockedTarget } from '../../../outbound/checked-address.ts';
import { NotAccepted, type PostRules, hostPortOf, postJson } from '../../../outbound/http-post.ts';

/** Time for each step of a conversation with the mail server. */
const MAIL_TIMEOUT_MS = 10_000;
/** Bytes of the answer of Feishu that are read. */
const FEISHU_ANSWER_BYTES_MAX = 16_384;

/**
 * Sends a message of which this server holds the lease.
 *
 * @throws BlockedTarget if the settings forbid it, NotAccepted if the other side refuses it, or errors of the connection
 */
export async function sendDelivery(app: App, delivery: Delivery, zone: string, stopSignal: AbortSignal): Promise<void> {
  const { kind, operatorId } = delivery;
  const { address, key } = decryptTarget(app, operatorId, delivery.target);
  const message = messageOf(delivery, app.channels.publicUrl);
  const text = messageText(message, zone);
  if (kind === 'mail') return sendMail(app, address, message, text);
  if (kind === 'telegram') return sendTelegram(app, address, text, stopSignal);
  const now = app.clock.now();
  if (kind === 'feishu') return sendFeishu(address, { text, key, now }, app.channels, stopSignal);
  return sendWebhook(address, { message, key: key ?? '', now }, app.channels, stopSignal);
}

async function sendWebhook(
  url: string,
  { message, key, now }: { message: Message; key: string; now: number },
  rules: PostRules,
  stopSignal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(message);
  const time = String(now);
  const headers = {
    [WEBHOOK_HEADERS.delivery]: message.id,
    [WEBHOOK_HEADERS.time]: time,
    [WEBHOOK_HEADERS.signature]: createHmac('sha256', key).update(`${time}.${body}`).digest('hex'),
  };
  await postJson(url, { body, headers }, rules, stopSignal);
}

/** What an operator can correct, by the code of Feishu's answer. */
const FEISHU_REASONS: Readonly<Record<number, string>> = {
  19021: '签名不符，请核对签名密钥和服务器时间',
  19022: '服务器 IP 不在机器人的白名单中',
  19024: '缺少机器人要求的关键词，请使用「衡台」',
};

/** The bot of Feishu answers 200 also when it refuses a message, for example without its keyword. */
async function sendFeishu(
  url: string,
  { text, key, now }: { text: string; key: string | undefined; now: number },
  rules: PostRules,
  stopSignal: AbortSignal,
): Promise<void> {
  const signed = key === undefined ? {} : feishuSignature(key, now);
  const body = JSON.stringify({ ...signed, msg_type: 'text', content: { text } });
  const code = fieldOf(
    await postJson(url, { body, answerBytesMax: FEISHU_ANSWER_BYTES_MAX }, rules, stopSignal),
    'code',
  );
  if (code === 0) return;
  const reason = typeof code === 'number' ? (FEISHU_REASONS[code] ?? String(code)) : '无法识别的回复';
  throw new NotAccepted(`飞书拒绝了消息（${reason}）`);
}

/** Feishu uses time and key as the key of the HMAC, over an empty text; the time is in seconds. */
function feishuSignature(key: string, now: number): { timestamp: string; sign: string } {
  const timestamp = String(Math.floor(now / 1_000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${key}`).digest('base64') };
}

/** The server's environment sets the address of the Bot API, so its host needs no entry in the list. */
async function sendTelegram({ channels }: App, chat: string, text: string, stopSignal: AbortSignal): Promise<void> {
  const { telegram, allowPrivate } = channels;
  if (!telegram) throw new BlockedTarget('服务器未配置 Telegram');
  const body = JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true } });
  await postJson(
    `${telegram.url}/bot${telegram.token}/sendMessage`,
    { body },
    { hosts: [hostPortOf(new URL(telegram.url))], allowPrivate },
    stopSignal,
  );
}

async function sendMail({ channels }: App, to: string, message: Message, text: string): Promise<void> {
  const { smtp, hosts } = channels;
  if (!smtp) throw new BlockedTarget('服务器未配置邮件');
  if (!isAllowedDomain(to, hosts)) throw new BlockedTarget('该邮箱域名不在允许的名单中');
  const transport = createTransport({
    url: smtp.url,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    dnsTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: smtp.from,
      to: { name: '', address: to },
      subject: text.split('\n')[0] ?? message.title,
      text,
      // The same for every attempt, so that mail programs drop a repeat.
      messageId: `<${message.id}@hengtai>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}

function fieldOf(json: string, field: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  } catch {
    return undefined;
  }
}
