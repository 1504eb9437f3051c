import type { Random } from './random.ts';

const SURNAMES =
  'zhang wang li zhao chen liu yang huang zhou wu xu sun ma zhu hu guo he lin gao luo zheng liang xie song tang deng han feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng wei su lv ding ren shen yao lu'.split(
    ' ',
  );
const GIVEN =
  'wei fang na min jing qiang lei yan jun tao mei hao xin yu bo ting peng hui ying jie kai rui chen yang fei long hong bin xue dan lan ping gang guo hua qing shan zhi wen yi jia ming rong cheng mengyao zihan yuxuan haoran jiahui xiaoyan jianguo lihua zhiqiang guoqiang xiuying'.split(
    ' ',
  );
const NICKS =
  'kafeimao tudou dahai qingtian xiaoyu laowang moonboy hodl sunny feng linjia nanfeng beichen yeying doudou xiaomai guozi mumu shanhe luren dongmen qiuyi baozi jiangnan taotao leyi chengzi suibian fanqie niuniu btc_lao coinhunter bluewhale satoshi.fan ether_yu longpao daxiong afei laohei snowy'.split(
    ' ',
  );
const FIRST = 'Leo Ivy Jason Kevin Cindy Amy Tony Vivian Eric Grace Leon Mandy Ray Sam Yuki Zoe Alan Coco Nick'.split(
  ' ',
);
// Reserved mail domains and an unassigned mobile prefix, so that no invented customer can be a real person.
const DOMAINS = ['example.com', 'example.net', 'example.org', 'mail.example', 'foxmail.example'];
const PHONE_PREFIX = '12';
const DIGITS = '0123456789';

const REMARKS = [
  '大额客户，提现前先电联',
  'VIP，专属客服跟进',
  '老客户介绍',
  '线下沙龙注册',
  '偏好 ERC20 提现',
  '证件待补充',
  '活动期间注册',
  '只做现货',
  '曾投诉到账慢，注意沟通',
  '直播间引流',
  '企业客户',
  '境外用户，英文沟通',
];

export const chooseRemark = (dice: Random): string | undefined => (dice.chance(0.11) ? dice.pick(REMARKS) : undefined);

export function generateAccountName(dice: Random): string {
  const surname = dice.pick(SURNAMES);
  const givenName = dice.pick(GIVEN) + (dice.chance(0.35) ? dice.pick(GIVEN) : '');
  const year = dice.int(1970, 2004);
  const short = String(year).slice(2);
  switch (
    dice.weighted([['mail', 22] as const, ['phone', 26] as const, ['name', 30] as const, ['nick', 22] as const])
  ) {
    case 'mail': {
      const local = dice.pick([
        `${surname}.${givenName}`,
        `${givenName}${surname}`,
        `${surname}${givenName}${short}`,
        `${givenName}_${surname}${year}`,
      ]);
      return `${local}@${dice.pick(DOMAINS)}`;
    }
    case 'phone':
      return `${PHONE_PREFIX}${dice.text(DIGITS, 9)}`;
    case 'name':
      return dice.pick([
        `${surname}${givenName}`,
        `${surname}_${givenName}`,
        `${surname}${givenName}${short}`,
        `${surname}${givenName}${year}`,
        `${givenName}.${surname}`,
        `${surname}${givenName}${dice.int(1, 999)}`,
      ]);
    default:
      return dice.pick([
        `${dice.pick(NICKS)}${dice.int(1, 999)}`,
        `${dice.pick(NICKS)}_${short}`,
        `${dice.pick(NICKS)}${dice.pick(['', '_', '.'])}${dice.pick(GIVEN)}`,
        `${dice.pick(FIRST)}.${surname}${dice.chance(0.4) ? short : ''}`,
        `${dice.pick(FIRST)}_${dice.int(10, 2_030)}`,
        `${dice.pick(NICKS)}${dice.pick(['666', '888', '520', '1314', '99', '777'])}`,
      ]);
  }
}

/**
 * An IPv4 address that nobody owns: from the benchmark range (198.18.0.0/15), the documentation ranges, or the
 * carrier-grade NAT range (100.64.0.0/10) of mobile users.
 */
export function generateIpAddress(dice: Random): string {
  const last = `${dice.int(0, 255)}.${dice.int(1, 254)}`;
  switch (dice.weighted([['home', 58] as const, ['mobile', 34] as const, ['other', 8] as const])) {
    case 'home':
      return `198.${dice.int(18, 19)}.${last}`;
    case 'mobile':
      return `100.${dice.int(64, 127)}.${last}`;
    default:
      return `${dice.pick(['192.0.2', '198.51.100', '203.0.113'])}.${dice.int(1, 254)}`;
  }
}

const DEVICES: readonly (readonly [string, number])[] = [
  ['iPhone 15 Pro', 8],
  ['iPhone 14', 8],
  ['iPhone 13', 7],
  ['iPhone SE', 2],
  ['HUAWEI Mate 60', 8],
  ['HUAWEI P60', 5],
  ['Xiaomi 14', 7],
  ['Redmi K70', 6],
  ['OPPO Find X7', 5],
  ['vivo X100', 5],
  ['HONOR 90', 4],
  ['Chrome / Windows 10', 9],
  ['Chrome / macOS', 4],
  ['Edge / Windows 11', 5],
  ['Safari / iPad', 2],
];

export const chooseDevice = (dice: Random): string => dice.weighted(DEVICES);
