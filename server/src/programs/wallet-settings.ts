import { SWEEP_DAYS, TOP_UP_DAYS } from '@hengtai/contract/funds/wallet-coin/facts';
import type { FirstSetting } from './first-setting.ts';

/** Between which days of net outflow hot wallets are to stay. */
export const walletSettings: readonly FirstSetting[] = [
  {
    key: TOP_UP_DAYS,
    name: '热钱包补充下限(天)',
    group: '平台',
    kind: 'num',
    num: '3',
    min: '0',
    max: '365',
    remark: '热钱包可支撑的天数低于此值时，「钱包对账」建议从同一网络的冷、温钱包补充；0 为不建议。只建议，不自动调拨',
  },
  {
    key: SWEEP_DAYS,
    name: '热钱包归集上限(天)',
    group: '平台',
    kind: 'num',
    num: '14',
    min: '0',
    max: '365',
    remark: '热钱包可支撑的天数高于此值时，「钱包对账」建议归集到同一网络的冷、温钱包，不能低于补充下限；0 为不建议',
  },
];
