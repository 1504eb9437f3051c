/**
 * The facts that rules may ask about. The server records each once, when a withdrawal is requested, as it was known then. A
 * fact is never renamed or removed, because stored versions and results name it.
 *
 * - `number`: a decimal; counts and ages are whole units, ages rounded down; sums in USDT and percents have two decimals
 * - `flag`: yes or no
 * - `choice`: one of `options`, or of what `source` lists: ids as strings, or names
 *
 * Every fact can be unknown: a coin without a price, a login that was never reported, a window of more than `FACT_ROWS` rows.
 */
export type FactKind = 'number' | 'flag' | 'choice';

export interface Fact {
  kind: FactKind;
  label: string;
  /** Heading in the form. */
  group: keyof typeof factGroups;
  /** Unit of a number. */
  unit?: string;
  /** What is counted, and when it is unknown. */
  note: string;
  options?: Readonly<Record<string, string>>;
  source?: 'market' | 'agent' | 'network';
}

/** Rows that a window looks at. Larger counts are recorded as this number, larger sums and all-time figures as unknown. */
export const FACT_ROWS = 1_000;
/** Share of a limit in percent from which an amount below it counts as just below. */
export const NEAR_PERCENT = 80;

export const factGroups = {
  withdraw: '本笔提现',
  risk: '风险标记',
  user: '用户',
  login: '登录与凭证',
  address: '提现地址',
  frequency: '提现频次',
  deposit: '充值与资金',
  price: '行情',
} as const;

const number = (group: Fact['group'], label: string, unit: string, note: string) =>
  ({ kind: 'number', group, label, unit, note }) as const;
const flag = (group: Fact['group'], label: string, note: string) => ({ kind: 'flag', group, label, note }) as const;
const risk = (label: string) => flag('risk', label, '提交申请时记录的风险；导入的历史提现没有风险标记');
const count = (span: string) => number('frequency', `${span}内提现笔数`, '笔', '含本笔，不论结果；最多数到 1000 笔');
const sum = (span: string) =>
  number('frequency', `${span}内提现合计`, 'USDT', '含本笔，不论结果；有币种没有价格或超过 1000 笔时未知');
const recharges = (span: string) => number('deposit', `${span}内充值笔数`, '笔', '已到账的充值；最多数到 1000 笔');
const move = (span: string) =>
  number('price', `${span}涨跌幅`, '%', '提现币种相对 USDT 的涨跌，跌为负数；没有当时的行情时未知');

export const facts = {
  amount: number('withdraw', '数量', '币', '提现币种的数量'),
  amountUsdt: number('withdraw', '估值', 'USDT', '按申请时的价格；没有价格时未知'),
  feeShare: number('withdraw', '手续费占比', '%', '手续费占提现数量的百分比'),
  coin: { kind: 'choice', group: 'withdraw', label: '币种', note: '提现的币种', source: 'market' },
  network: { kind: 'choice', group: 'withdraw', label: '网络', note: '提现的网络', source: 'network' },

  riskFirstAddress: risk('首次使用的地址'),
  riskSharedAddress: risk('多个用户使用同一地址'),
  riskOverLimit: risk('超过24小时限额'),
  riskCredentialChanged: risk('近期修改过密码或验证方式'),
  riskLedgerMismatch: risk('余额与流水合计不符'),
  riskManualBalance: risk('余额来自人工调账'),
  riskAddressFormat: risk('地址格式不符'),
  riskMemoMissing: risk('备注缺失'),
  riskRelatedListed: risk('关联地址在名单中'),

  userDays: number('user', '注册天数', '天', '从注册到本次申请'),
  kycLevel: {
    kind: 'choice',
    group: 'user',
    label: '实名等级',
    note: '申请时已通过的最高等级',
    options: { 0: '未通过', 1: '初级', 2: '高级' },
  },
  kycHours: number('user', '距最近通过实名', '小时', '从未通过时从注册算起'),
  agent: { kind: 'choice', group: 'user', label: '所属代理', note: '申请时用户的直属代理', source: 'agent' },
  branch: {
    kind: 'choice',
    group: 'user',
    label: '顶级代理',
    note: '申请时用户所在的顶级代理；直属总部时为总部',
    source: 'agent',
  },
  rejectedCount: number('user', '被驳回的提现', '笔', '此前最近 1000 笔提现中被驳回的笔数'),

  loginHours: number('login', '距最近登录', '小时', '没有登录记录时未知'),
  loginNewIp: flag('login', '最近登录使用新IP', '与此前最近 1000 次登录比较；没有更早的登录时未知'),
  loginNewDevice: flag(
    'login',
    '最近登录使用新设备',
    '与此前最近 1000 次登录比较；平台未报告设备或没有更早的登录时未知',
  ),
  loginIps24h: number('login', '24小时内登录IP数', '个', '不同的 IP；没有登录记录时未知'),
  loginGapDays: number(
    'login',
    '登录前最长未登录',
    '天',
    '30天内各次登录距上一次登录的最长间隔，首次登录从注册算起；30天内没有登录时未知',
  ),
  ipHours: number(
    'login',
    '最近登录IP已用时长',
    '小时',
    '从首次以此 IP 登录算起，看最近 1000 次登录；在此之前没有登录时未知',
  ),
  deviceHours: number(
    'login',
    '最近登录设备已用时长',
    '小时',
    '从首次以此设备登录算起，看最近 1000 次登录；在此之前没有登录，或平台未报告设备时未知',
  ),
  ipUsers: number(
    'login',
    '同一IP登录的其他用户',
    '人',
    '7天内从最近登录的 IP 登录过的其他用户；最多看最近 1000 次登录，没有登录记录时未知',
  ),
  credentialHours: number('login', '距最近修改凭证', '小时', '密码、验证方式等；从未修改时从注册算起'),

  addressDays: number('address', '地址启用天数', '天', '该用户首次提现到此地址和备注至今；首次使用为 0'),
  addressPaid: number('address', '到此地址已完成笔数', '笔', '该用户此前提现到此地址和备注并已完成的笔数'),
  addressUsers: number(
    'address',
    '使用此地址的其他用户',
    '人',
    '此前提现到此地址和备注的其他用户；最多看最近 1000 笔，地址记录补齐中时未知',
  ),
  addressFrozenUsers: number('address', '其中被冻结的用户', '人', '申请时处于冻结状态；之后状态变过而无法得知时未知'),
  addressRejectedUsers: number('address', '其中被驳回过的用户', '人', '提现到此地址曾被驳回'),

  count1h: count('1小时'),
  count24h: count('24小时'),
  count7d: count('7天'),
  count30d: count('30天'),
  sum1h: sum('1小时'),
  sum24h: sum('24小时'),
  sum7d: sum('7天'),
  sum30d: sum('30天'),
  nearFourEyes24h: number(
    'frequency',
    '24小时内略低于复核起点的笔数',
    '笔',
    '含本笔；估值为提现复核金额的 80% 至不到 100%',
  ),
  nearLimit24h: number('frequency', '24小时内略低于限额的笔数', '笔', '含本笔；估值为24小时提现限额的 80% 至不到 100%'),

  recharges1h: recharges('1小时'),
  recharges24h: recharges('24小时'),
  recharges7d: recharges('7天'),
  rechargeMinutes: number('deposit', '距最近充值到账', '分钟', '任何币种；从未充值时从注册算起'),
  rechargeShare: number('deposit', '来自近期充值的占比', '%', '24小时内到账的同币种充值占本笔数量的百分比，最多 100'),
  netDeposit: number('deposit', '净充值', '币', '同币种全部充值减全部已完成提现，可为负数；超过 1000 笔时未知'),
  gainShare: number(
    'deposit',
    '超出净充值的占比',
    '%',
    '本笔超出同币种净充值的部分占本笔的百分比，包括盈利和由其他币种兑换；超过 1000 笔时未知',
  ),
  manualShare: number('deposit', '人工增加的占比', '%', '同币种人工增减净额占其与充值之和的百分比；超过 1000 笔时未知'),

  priceMove1h: move('1小时'),
  priceMove24h: move('24小时'),
} as const satisfies Readonly<Record<string, Fact>>;

export type FactName = keyof typeof facts;
export const factNames = Object.keys(facts) as FactName[];

type NamesOf<K extends FactKind> = { [N in FactName]: (typeof facts)[N] extends { kind: K } ? N : never }[FactName];
export type NumberFact = NamesOf<'number'>;
export type FlagFact = NamesOf<'flag'>;
export type ChoiceFact = NamesOf<'choice'>;

const namesOf = <K extends FactKind>(kind: K): NamesOf<K>[] =>
  factNames.filter((name) => facts[name].kind === kind) as NamesOf<K>[];
export const numberFacts = namesOf('number');
export const flagFacts = namesOf('flag');
export const choiceFacts = namesOf('choice');

/** Comparisons of a number. */
export const numberOps = { gt: '大于', gte: '不小于', lt: '小于', lte: '不大于', eq: '等于' } as const;
export type NumberOp = keyof typeof numberOps;
/** Comparisons of a choice. */
export const choiceOps = { in: '是其中之一', notIn: '不是其中任何一个' } as const;
export type ChoiceOp = keyof typeof choiceOps;

/** Limits of one rule and of all of them. */
export const RULE_NAME_MAX = 30;
export const CONDITIONS_MAX = 10;
export const CHOICES_MAX = 50;
export const POINTS_MAX = 100;
/** Rules of a house, whatever their state. */
export const RULES_MAX = 200;
/** Rules in effect or on trial together. They run on every withdrawal. */
export const ACTIVE_RULES_MAX = 100;

/** The persons that a rule may demand for passing a withdrawal. */
export const peopleOptions = { 0: '按复核策略', 2: '至少2人', 3: '至少3人' } as const;
