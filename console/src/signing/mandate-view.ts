import { type Mandate, groupDigest } from '@hengtai/contract/risk/signing/text';
import { formatGrouped, multiply } from '../ui/value/decimal.ts';
import { type View, timeText } from './view.ts';

const DAY_MS = 86_400_000;

/** The mandate, with the most that it can pay. */
export function mandateView({ id, roster, rosterDigest, platform, from, until, coins }: Mandate): View {
  const days = Math.floor((until - 1) / DAY_MS) - Math.floor(from / DAY_MS) + 1;
  return {
    title: '签名自动打款授权',
    lead: '在此额度内，打款不再需要任何人签名。请核对额度与有效期。',
    blocks: [
      {
        title: '授权',
        rows: [
          { label: '授权编号', value: id, look: 'code' },
          { label: '名册版本', value: `${roster}（名册更换后授权失效）` },
          ...(rosterDigest === undefined
            ? []
            : [{ label: '名册指纹', value: groupDigest(rosterDigest), look: 'code' as const }]),
          { label: '平台编号', value: String(platform) },
          { label: '生效', value: timeText(from) },
          { label: '失效', value: timeText(until) },
        ],
      },
      ...coins.map(({ market, networks, largest, perDay }) => ({
        title: '币种',
        subject: market,
        rows: [
          ...networks.map((network) => ({ label: '网络', value: network, look: 'code' as const })),
          { label: '单笔最多', value: formatGrouped(largest), coin: market },
          { label: '每日最多（UTC）', value: formatGrouped(perDay), coin: market, look: 'large' as const },
          { label: `有效期内最多（${days} 天）`, value: formatGrouped(multiply(perDay, String(days))), coin: market },
        ],
      })),
    ],
  };
}
