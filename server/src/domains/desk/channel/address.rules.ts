import type { ChannelKind } from '@hengtai/contract/wire/input-values';
import type { ChannelSettings } from '../../../app/context.ts';
import { BlockedTarget } from '../../../outbound/checked-address.ts';
import { MAIL_PORTS, checkUrl } from '../../../outbound/http-post.ts';

const MAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]{1,63}\.)*[A-Za-z0-9-]{1,63}$/;
/** The number of a chat, negative for groups, or the name of a channel. */
const CHAT = /^(-?\d{1,20}|@[A-Za-z0-9_]{3,64})$/;

/** A domain is allowed by an entry without a port, or with one of mail. */
export function isAllowedDomain(mail: string, hosts: readonly string[]): boolean {
  const domain = mail.slice(mail.lastIndexOf('@') + 1).toLowerCase();
  return [domain, ...MAIL_PORTS.map((port) => `${domain}:${port}`)].some((entry) => hosts.includes(entry));
}

/** The kinds that the server's environment allows. */
export function availableKinds({ hosts, smtp, telegram }: ChannelSettings): ChannelKind[] {
  const hasHosts = hosts.length > 0;
  return [
    ...(hasHosts ? (['webhook'] as const) : []),
    ...(hasHosts && smtp ? (['mail'] as const) : []),
    ...(telegram ? (['telegram'] as const) : []),
    ...(hasHosts ? (['feishu'] as const) : []),
  ];
}

/**
 * Checks an address that an operator entered. Names are looked up only when a message is sent.
 *
 * @returns what screens show of it: the receiver is recognized, and the secret in it cannot be read
 * @throws BlockedTarget
 */
export function checkChannelAddress(kind: ChannelKind, address: string, settings: ChannelSettings): string {
  if (!availableKinds(settings).includes(kind)) throw new BlockedTarget('服务器未配置此类渠道');
  if (kind === 'webhook' || kind === 'feishu') return `${checkUrl(address, settings).origin}/…`;
  if (kind === 'telegram') {
    if (!CHAT.test(address)) throw new BlockedTarget('应为会话编号或 @频道名');
    return `…${address.slice(-4)}`;
  }
  if (!MAIL.test(address)) throw new BlockedTarget('邮箱格式不正确');
  if (!isAllowedDomain(address, settings.hosts)) throw new BlockedTarget('该邮箱域名不在允许的名单中');
  return `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`;
}
