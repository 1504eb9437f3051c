import type { IdInput, ReasonInput } from '../../wire/schema.ts';
import { type AlarmKind, alarmAbilities, alarmActions, alarmKinds, alarmStates } from './facts.ts';
import { alarmStopLabels } from './stops.ts';
import { ABILITY, type Ability } from '../../authority/ability.ts';
import type { AlarmDetail, AlarmRow } from './schema.ts';
import { action, listCall, read } from '../../wire/endpoint.ts';
import { targetText } from '../../authority/target.ts';

/** For each kind of alarm, what happened and what the operator must do. */
const alarmTexts: Readonly<Record<AlarmKind, { happened: string; next: string }>> = {
  'recharge.reversed': {
    happened: '平台冲正了一笔已入账的充值，但用户资金账户的余额不足，上面的数量未能扣回。',
    next: '核对这笔充值的交易哈希与冲正原因；向用户追回差额，或在用户的「资产」中扣减其他余额、冻结资产，必要时先冻结用户。处理完后填写结论并关闭。',
  },
  'recharge.repeated': {
    happened:
      '平台用另一个单号再次报告了已到账的同一笔链上转账：交易哈希、输出序号、地址与标签都相同。按设置，这笔充值已挂起或已照常入账；告警针对用户，不影响该币种。',
    next: '按交易哈希在链上核对这笔输出是否只有一笔。重复的，请平台报告充值失败或冲正；确为两笔的，请平台更正输出序号，挂起的可以放行。处理完后填写结论并关闭。',
  },
  'withdraw.paidAfterRefund': {
    happened: '提现已经退回给用户，之后平台又报告打款成功。账本没有因这次打款变动，用户可能同时得到退款和打款。',
    next: '按交易哈希在链上核实打款。确已到账的，向用户追回，或在用户的「资产」中扣减同等数量；没有打款的，请平台更正。处理完后填写结论并关闭。',
  },
  'withdraw.unexpected': {
    happened:
      '钱包报告了一笔没有预期的打款：没有下发指令、提现已经结束、已按另一个交易哈希完成，或者单号不存在；或者前一次打款已到账时，后一次的指令已经交给钱包。账本没有因此变动。「各次情况」列出全部交易哈希。',
    next: '按交易哈希在链上逐一核实。待审核、待复核的提现在核实之前不能通过、驳回或由用户撤销：在提现中点「确认结果」，确已打款的选「已打款」。已驳回、已撤销、已退回或重复打款而确已到账的，向用户追回，或在用户的「资产」中扣减同等数量。单号不存在的，请平台查明。处理完后填写结论并关闭，关闭即视为已核实；该币种的自动打款另在「自动打款」中核对后恢复。',
  },
  'withdraw.screenHit': {
    happened: '提现已经通过，之后筛查服务商才报告其地址命中。打款可能已经送出。',
    next: '打开提现查看命中的类别；打款尚未送出的，联系平台拦截。按合规制度上报，必要时冻结用户。处理完后填写结论并关闭。',
  },
  'auth.screenHit': {
    happened: '实名审核已经通过，之后筛查服务商才报告其姓名命中。',
    next: '打开实名审核核对证件与命中的名单，必要时冻结用户，按合规制度上报。处理完后填写结论并关闭。',
  },
  'holds.differ': {
    happened:
      '每小时的冻结核对发现：账户的冻结余额与占用它的未完成记录不符，上面的数量是差额，正数为多冻结，负数为少冻结。',
    next: '打开上面的对象，查看用户的资金流水，找出差额的来源；原因查明之前不要人工调整。请技术人员在服务器上运行 npm run holds:check 复核，更正后填写结论并关闭；仍不符的，下次核对会重新告警。',
  },
  'event.conflict': {
    happened: '平台用一个已经生效的事件编号报告了不同的内容。后来的内容没有生效，账本没有变动。',
    next: '把事件编号交给平台的技术人员：同一编号只能用于同一件事。后来的内容若确有其事，请平台用新的编号重新报告；若有人伪造，检查平台密钥是否泄露。处理完后填写结论并关闭。',
  },
  'passkey.cloned': {
    happened: '一个通行密钥的签名计数没有前进，验证已被拒绝。可能有人复制了该密钥，也可能是验证器有缺陷。',
    next: '联系该操作员核实。不能确认是验证器缺陷的，移除该通行密钥，重置其密码与第二因素，并检查审计日志中该操作员近期的操作。处理完后填写结论并关闭。',
  },
  'market.networks': {
    happened:
      '升级后，列有网络的币种只接受所列的网络，不论写法；凭证充值除外。最近 180 天用过而没有列出的网络已补入并开放，标为「待确认」；「按已关闭处理」是已关闭网络的其他写法，以前不受开关限制，现在与该网络相同。',
    next: '打开市场，逐个核对待确认的网络：支持的点「确认网络」，不支持的在「编辑」中移除或关闭。处理完后填写结论并关闭。',
  },
  'house.insuranceLow': {
    happened:
      '该币种的风险准备金按现价折算低于设置的下限。用户穿仓的亏损由风险准备金承担，上面的数量是告警时的余额。告警不停止任何交易与打款。',
    next: '打开「平台账户」查看风险准备金的明细，查明亏损来自哪些强制平仓；行情异常的，联系平台并暂停该市场。再从自有资金划入补足，自有资金不足的，先注资。处理完后填写结论并关闭；仍低于下限的，一分钟内会重新告警。',
  },
  'chain.unordered': {
    happened:
      '钱包转出了一笔没有指令的资金：没有已下发的打款与其收款账户、网络、币种、数量相符；或者转出超过核对时限，对方仍不是平台的钱包。账本没有因此变动。「各次情况」列出同一交易的全部流水。',
    next: '立即按交易哈希在链上核实，确认私钥与平台密钥是否泄露；必要时停用上报的密钥，并请钱包方停止出款。属于自有资金的，在「钱包对账」中说明并入账；属于漏报的，请平台补报记录。处理完后填写结论并关闭；该币种的自动打款另在「自动打款」中核对后恢复。',
  },
  'wallet.differs': {
    happened:
      '钱包的读数与第一次读数加上之后的链上流水不相等，超过时限仍未消除。上面的数量是差额：正数为钱包多出，负数为钱包缺少。「各次情况」列出各次读数。',
    next: '打开钱包，在链上核对读数时刻的余额与全部转账：漏报的流水请平台补报，补报后会重新比较；读数有误的，请平台更正。查不出原因的缺少可能是资金被转走，应立即停止打款并检查钱包密钥。处理完后填写结论并关闭。',
  },
};

/** Labels of the fields of an alarm's `detail`. */
export const alarmDetails: Readonly<Record<string, string>> = {
  account: '账号',
  amount: '数量',
  market: '币种',
  txHash: '交易哈希',
  platform: '账户',
  frozen: '冻结余额',
  held: '记录占用合计',
  no: '平台单号',
  attempt: '打款',
  recorded: '已记录的交易哈希',
  command: '打款指令',
  platformId: '平台编号',
  eventId: '事件编号',
  passkey: '通行密钥',
  provider: '筛查服务商',
  categories: '命中类别',
  storedCount: '已记录的计数',
  receivedCount: '收到的计数',
  recharge: '充值',
  arrived: '已到账的同一笔',
  added: '补入的网络',
  closed: '按已关闭处理',
  left: '没有补入',
  bound: '下限(USDT)',
  value: '现价折算(USDT)',
  move: '链上流水',
  wallet: '钱包',
  address: '对方地址',
  reading: '读数',
  at: '读数时间',
};

const unknownTexts = {
  happened: '系统报告了一个需要人工处理的情况。',
  next: '查看对象和明细，处理完后填写结论并关闭。',
};

const isKnown = (kind: string): kind is AlarmKind => Object.hasOwn(alarmKinds, kind);

export const alarmText = (kind: string): { happened: string; next: string } =>
  isKnown(kind) ? alarmTexts[kind] : unknownTexts;

/** The ability needed to close an alarm; `platform` for a kind that this version does not know. */
export const alarmAbility = (kind: string): Ability => (isKnown(kind) ? alarmAbilities[kind] : ABILITY.platform);

const list = {
  filters: [
    { field: 'account', label: '账号', kind: 'part', type: 'text' },
    { field: 'state', label: '状态', kind: 'eq', type: 'int', options: alarmStates },
    { field: 'kind', label: '种类', kind: 'eq', type: 'text', options: alarmKinds },
    { field: 'id', label: '编号', kind: 'eq', type: 'int' },
    { field: 'agent', label: '所属代理', kind: 'agent', type: 'text', more: true },
    { field: 'agentRoot', label: '代理及下级', kind: 'subtree', type: 'text' },
    { field: 'userId', label: '用户编号', kind: 'eq', type: 'int', more: true },
    { field: 'targetId', label: '对象编号', kind: 'eq', type: 'int', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'state', title: '状态', kind: 'state', labels: alarmStates },
    { field: 'kind', title: '告警', kind: 'state', labels: alarmKinds },
    { field: 'targetType', title: '对象', kind: 'text', text: targetText },
    { field: 'account', title: '账号', kind: 'user' },
    { field: 'amount', title: '数量', kind: 'amount', signed: true },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'txHash', title: '交易哈希', kind: 'hash' },
    { field: 'createdAt', title: '时间', kind: 'time' },
    { field: 'stops', title: '暂停', kind: 'state', labels: alarmStopLabels },
    { field: 'agent', title: '所属代理', kind: 'agent' },
    { field: 'by', title: '关闭人', kind: 'operator' },
    { field: 'reason', title: '处理结论', kind: 'text' },
    { field: 'closedAt', title: '关闭时间', kind: 'time' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  views: [{ name: '未处理', query: 'state=0' }],
} as const;

export const alarm = {
  list: listCall<AlarmRow>()('alarm/list', '告警', list),
  detail: read<IdInput, AlarmDetail>()('alarm/detail', '告警详情', { target: 'alarm' }),
  close: action<ReasonInput, AlarmRow>()(alarmActions.close, 'alarm/close'),
};
