import { type Mandate, type Roster, parseHeldRoster, parseSignable } from '@hengtai/contract/risk/signing/text';
import type { SigningProposal, SigningState } from '@hengtai/contract/risk/signing/schema';

/** What a draft is about, in one line. The signing page shows all of it. */
export function draftTitle(
  { text }: Pick<SigningProposal, 'text'>,
  roster: SigningState['roster'],
  platforms: SigningState['platforms'],
): string {
  const draft = parseSignable(text);
  if (draft.kind === 'mandate') return mandateTitle(draft, platforms);
  return draft.kind === 'roster' ? rosterTitle(draft, roster) : '打款';
}

function mandateTitle({ id, platform, coins }: Mandate, platforms: SigningState['platforms']): string {
  const name = platforms.length > 1 ? platforms.find((one) => one.id === platform)?.name : undefined;
  const budgets = coins.map(({ market, perDay }) => `每日 ${perDay} ${market}`).join('、');
  return `授权 ${id}${name === undefined ? '' : `（${name}）`}：${budgets}`;
}

function rosterTitle({ version, keys, threshold }: Roster, held: SigningState['roster']): string {
  const before = held && held.version === version - 1 ? parseHeldRoster(held.text) : undefined;
  const old = before && new Set(before.keys.map(({ id }) => id));
  if (!old) return `名册第 ${version} 版：${keys.length} 个密钥，${threshold} 人签名`;
  const added = keys.filter(({ id }) => !old.has(id));
  const removed = old.size - (keys.length - added.length);
  return `名册第 ${version} 版：新增 ${added.length}，移除 ${removed}，${threshold} 人签名`;
}
