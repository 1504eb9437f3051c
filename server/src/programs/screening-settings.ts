import {
  SCREEN_ADDRESS,
  SCREEN_EXEMPT,
  SCREEN_MINIMUM,
  SCREEN_NAME,
  SCREEN_VALID,
  SCREEN_WAIT,
} from '@hengtai/contract/risk/screening/calls';
import type { FirstSetting } from './first-setting.ts';

/** The settings of screening, all of which are off or empty at first. */
export const screeningSettings: readonly FirstSetting[] = [
  {
    key: SCREEN_ADDRESS,
    name: '提现地址须通过筛查',
    group: '筛查',
    kind: 'switch',
    remark: '开启后，提现申请时由平台的筛查服务商检查地址，答复「未命中」之前不能打款，自动打款同样等待',
  },
  {
    key: SCREEN_NAME,
    name: '实名姓名须通过筛查',
    group: '筛查',
    kind: 'switch',
    remark: '开启后，提交实名时由平台的筛查服务商检查姓名，答复「未命中」之前不能通过',
  },
  {
    key: SCREEN_MINIMUM,
    name: '须筛查的提现估值(USDT)',
    group: '筛查',
    kind: 'num',
    min: '0',
    remark: '估值低于此金额的提现不需要筛查；0 为全部。没有估值的总是需要',
  },
  {
    key: SCREEN_EXEMPT,
    name: '免筛查的币种',
    group: '筛查',
    kind: 'str',
    remark: '这些币种的提现不需要筛查，多个用逗号分隔；留空为全部币种都需要',
  },
  {
    key: SCREEN_WAIT,
    name: '筛查答复期限(分钟)',
    group: '筛查',
    kind: 'num',
    num: '5',
    min: '1',
    max: '1440',
    remark: '超过此时长没有答复的标为未按时答复，自动打款不再等待；迟到的答复仍然有效',
  },
  {
    key: SCREEN_VALID,
    name: '筛查结果有效期(小时)',
    group: '筛查',
    kind: 'num',
    num: '72',
    min: '1',
    max: '8760',
    remark: '超过此时长的「未命中」不再有效，打款前须重新筛查；命中没有期限',
  },
];
