import { AUTO_SILENT_COUNT, AUTO_SILENT_VALUE, AUTO_STOP_HOLDS } from '@hengtai/contract/risk/auto-payout/facts';
import type { FirstSetting } from './first-setting.ts';

/** What stops automatic payouts besides the wallet's answers, and what a stop holds. */
export const autoPayoutSettings: readonly FirstSetting[] = [
  {
    key: AUTO_SILENT_COUNT,
    name: '同时结果不明几笔时暂停自动打款(笔)',
    group: '提现',
    kind: 'num',
    num: '3',
    min: '0',
    max: '1000',
    remark:
      '同一平台同一币种因钱包没有回应而结果不明的打款同时达到此数时，暂停该币种在该平台的自动打款；0 为不因此暂停',
  },
  {
    key: AUTO_SILENT_VALUE,
    name: '单笔结果不明多大时暂停自动打款(USDT)',
    group: '提现',
    kind: 'num',
    num: '0',
    min: '0',
    remark: '一笔打款因钱包没有回应而结果不明、且估值超过此金额时，暂停该币种在该平台的自动打款；0 为不因此暂停',
  },
  {
    key: AUTO_STOP_HOLDS,
    name: '自动打款暂停时不下发打款指令',
    group: '提现',
    kind: 'switch',
    remark: '开启后，某币种的自动打款暂停期间，该平台该币种的全部打款指令停在「待发送」，恢复后再下发；人工仍可通过',
  },
];
