import type { GatewayKeyRow } from '@hengtai/contract/house/gateway-key/schema';
import { gatewayRights } from '@hengtai/contract/gateway/rights';

/** The rights of a key in the order of the contract. */
export function rightsText(rights: readonly string[]): string {
  const labels = Object.entries(gatewayRights);
  const held = labels.filter(([right]) => rights.includes(right)).map(([, label]) => label);
  return held.length === labels.length ? '全部' : held.join('、');
}

/** The entries of a list that was typed on several lines, or behind commas; each once. */
export const splitLines = (text: string): string[] => [
  ...new Set(text.split(/[\s,，、]+/).filter((entry) => entry !== '')),
];

/** @param now unix milliseconds */
export function stateOf(
  { issuedAt, revokedAt, expiresAt }: GatewayKeyRow,
  now: number,
): { text: string; tone: 'good' | 'bad' | 'idle' | 'warn' } {
  if (revokedAt !== null) return { text: '已吊销', tone: 'idle' };
  if (expiresAt !== null && expiresAt <= now) return { text: '已过期', tone: 'bad' };
  return issuedAt === null ? { text: '未签发', tone: 'warn' } : { text: '有效', tone: 'good' };
}
