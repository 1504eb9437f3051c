import { HOLD_REPEATED, lockSwitches } from '@hengtai/contract/desk/approval/calls';
import { HEADS_TO_PLATFORM } from '@hengtai/contract/house/audit/calls';
import { KLINE_URL, REPORT_ZONE, SUPPORT_URL, WATERMARK } from '@hengtai/contract/desk/config/calls';
import { PROOF_HOUR, PROOF_HOUR_OFF, PROOF_WALLETS } from '@hengtai/contract/desk/report/facts';
import {
  BINARY_CONTRACT_RISK_EXPIRY,
  BINARY_CONTRACT_RISK_MARKET,
  BINARY_CONTRACT_TOLERANCE,
} from '@hengtai/contract/trading/binary-contract/calls';
import { SIGNING_REQUIRED, SIGNING_ROSTER_DIGEST } from '@hengtai/contract/risk/signing/calls';
import { PASSWORD_CHANGE, SESSION_MAX, SESSION_MAX_DEFAULT } from '@hengtai/contract/house/session/calls';
import { OIDC_ONLY } from '@hengtai/contract/house/oidc/calls';
import { OTP_EXACT, OTP_FRESH, OTP_REQUIRED } from '@hengtai/contract/house/otp/calls';
import { PASSKEY_ALONE, PASSKEY_ONLY } from '@hengtai/contract/house/passkey/calls';
import { INSURANCE_BOUND } from '@hengtai/contract/funds/house/facts';
import { MATCH_MINUTES } from '@hengtai/contract/funds/wallet/item';
import { HOLD_SHORTFALL, PAYING_MINUTES, RECALL_FROZEN, REFUSE_FORMAT } from '@hengtai/contract/funds/withdraw/calls';
import { QUEUE_TARGET_PREFIX, queueKeys, workQueues } from '@hengtai/contract/desk/queue/work-queue';
import { countSpecs } from '@hengtai/contract/desk/notify/notification';
import { autoPayoutSettings } from './auto-payout-settings.ts';
import type { FirstSetting } from './first-setting.ts';
import { fourEyesSettings } from './four-eyes-settings.ts';
import { screeningSettings } from './screening-settings.ts';
import { walletSettings } from './wallet-settings.ts';

/** Durations of binary contracts in a new installation, for every market. Shorter ones have a lower payout rate. */
export const firstBinaryContractConfigs = [
  { seconds: 30, payoutRate: '75', minAmount: '10', maxAmount: '5000' },
  { seconds: 60, payoutRate: '80', minAmount: '10', maxAmount: '10000' },
  { seconds: 120, payoutRate: '85', minAmount: '10', maxAmount: '20000' },
  { seconds: 300, payoutRate: '90', minAmount: '10', maxAmount: '50000' },
] as const;

/** Settings that the server reads, with their defaults. A policy's state is its mode, its num the amount in USDT. */
export const firstSettings: readonly FirstSetting[] = [
  ...fourEyesSettings,
  {
    key: 'withdraw.limit24h',
    name: '用户24小时提现提示额度(USDT)',
    group: '提现',
    kind: 'num',
    num: '50000',
    min: '0',
    remark: '用户 24 小时内申请的提现合计超过此金额时，在审核中标出风险；只提示，不拦截',
  },
  {
    key: 'withdraw.credentialHours',
    name: '修改密码后的提示时长(小时)',
    group: '提现',
    kind: 'num',
    num: '72',
    min: '0',
    max: '720',
    remark: '用户修改密码或验证方式后，在此时长内申请的提现在审核中标出风险；0 为不提示',
  },
  {
    key: RECALL_FROZEN,
    name: '冻结用户时撤回未发出的打款',
    group: '提现',
    kind: 'switch',
    state: 1,
    remark: '开启后，冻结用户时，其待打款且钱包尚未领取的提现改为打款失败，由人工重新打款或退回；钱包已领取的不受影响',
  },
  {
    key: HOLD_SHORTFALL,
    name: '冲正余额不足时暂缓该用户的提现',
    group: '提现',
    kind: 'switch',
    state: 1,
    remark: '开启后，用户的充值被冲正而余额不足以扣回时，其提现不能通过或重新打款，直到关闭该告警；自动打款也不通过',
  },
  {
    key: PAYING_MINUTES,
    name: '打款无回应转为结果不明(分钟)',
    group: '提现',
    kind: 'num',
    num: '30',
    min: '0',
    max: '10080',
    remark:
      '打款中的提现超过此时长没有钱包的任何消息，自动转为结果不明；0 为不转。市场的网络可另设时长。没有服务器运行的时间不计',
  },
  {
    key: MATCH_MINUTES,
    name: '链上核对时限(分钟)',
    group: '提现',
    kind: 'num',
    num: '30',
    min: '1',
    max: '10080',
    remark:
      '已打款的提现、已入账的充值超过此时长没有链上流水，或链上流水超过此时长没有记录，列入「链上差异」；转出至非自有钱包的同时告警。市场的网络可另设时长',
  },
  {
    key: REFUSE_FORMAT,
    name: '拒收地址格式不符的提现',
    group: '提现',
    kind: 'switch',
    remark:
      '开启后，地址或备注不合网络写法的提现申请不予受理，资金不冻结；关闭时照常受理并标出风险。充值与历史导入不受影响',
  },
  ...autoPayoutSettings,
  {
    key: HOLD_REPEATED,
    name: lockSwitches[HOLD_REPEATED],
    group: '充值',
    kind: 'switch',
    remark:
      '链上充值的交易哈希、输出序号、地址与标签都与已到账的另一笔相同时：开启则挂起，由人放行；关闭则照常入账。两者都对用户告警，不影响该币种。四眼锁定时自动开启',
  },
  {
    key: BINARY_CONTRACT_TOLERANCE,
    name: '行情容许延迟(秒)',
    group: '秒合约',
    kind: 'num',
    num: '30',
    min: '1',
    max: '600',
    remark: '到期后按行情时间超过此时长才有第一笔行情的，作废并全额退款；只影响之后的下单',
  },
  {
    key: BINARY_CONTRACT_RISK_EXPIRY,
    name: '同一秒到期敞口告警(USDT)',
    group: '秒合约',
    kind: 'num',
    num: '50000',
    min: '0',
    remark: '同一市场同一秒到期最多须净赔付的金额达到时告警；0 为不告警。只提醒，不影响任何合约',
  },
  {
    key: BINARY_CONTRACT_RISK_MARKET,
    name: '单个市场敞口告警(USDT)',
    group: '秒合约',
    kind: 'num',
    num: '200000',
    min: '0',
    remark: '同一市场全部进行中合约最多须净赔付的金额达到时告警；0 为不告警。只提醒，不影响任何合约',
  },
  {
    key: INSURANCE_BOUND,
    name: '风险准备金下限(USDT)',
    group: '平台',
    kind: 'num',
    min: '0',
    remark:
      '任一币种的风险准备金按现价折算低于此金额时告警，每分钟检查一次；0 为不告警。没有价格的币种不检查，没有用过风险准备金的只检查 USDT',
  },
  ...walletSettings,
  {
    key: SUPPORT_URL,
    name: '客服链接地址',
    group: '平台',
    kind: 'str',
    str: 'https://platform.example/support',
    remark: '必须改为平台站点的地址：只读客服链接由此地址加上一次性令牌组成',
  },
  {
    key: KLINE_URL,
    name: '行情图网站地址',
    group: '平台',
    kind: 'str',
    remark: '菜单「预设K线」在新窗口打开的网址，须以 http:// 或 https:// 开头；留空则不可用',
  },
  {
    key: REPORT_ZONE,
    name: '报表时区',
    group: '平台',
    kind: 'str',
    str: 'Asia/Shanghai',
    remark:
      '报表与首页按此时区切日；填 UTC 或带斜杠的时区名。修改当天延长到新时区的下一个零点，以前各日不变。预算与限额总按 UTC 日更新',
  },
  {
    key: PROOF_HOUR,
    name: '每晚生成储备证明(点)',
    group: '平台',
    kind: 'num',
    num: String(PROOF_HOUR_OFF),
    min: '0',
    max: String(PROOF_HOUR_OFF),
    remark: '报表时区几点后生成当日的负债证明与储备声明，须为整数；错过的一次在恢复运行后补上；24 为不自动生成',
  },
  {
    key: PROOF_WALLETS,
    name: '储备声明列出每个钱包',
    group: '平台',
    kind: 'switch',
    remark: '开启后，储备声明列出每个钱包的地址与余额；关闭时只按币种和网络合计',
  },
  {
    key: HEADS_TO_PLATFORM,
    name: '把审计链头发送给平台',
    group: '平台',
    kind: 'switch',
    remark: '开启后，每分钟至多一次以 audit.head 指令发送已签名的最新链头，由平台另行保管',
  },
  {
    key: OTP_REQUIRED,
    name: '所有操作员必须启用第二因素',
    group: '安全',
    kind: 'switch',
    remark: '开启后，未启用的操作员登录后须先设置，才能进行其他操作',
  },
  {
    key: OTP_FRESH,
    name: '资金与权限操作必须启用第二因素',
    group: '安全',
    kind: 'switch',
    remark: '已启用验证码的操作员总会被要求输入；开启后，未启用的操作员不能进行这些操作',
  },
  {
    key: OTP_EXACT,
    name: '只接受当前 30 秒的验证码',
    group: '安全',
    kind: 'switch',
    remark: '关闭：前后各 30 秒的验证码也接受，容许时钟略有偏差。开启前请确认服务器与操作员的手机自动校时',
  },
  {
    key: PASSKEY_ONLY,
    name: '第二因素仅限通行密钥',
    group: '安全',
    kind: 'switch',
    remark: '关闭：验证码或通行密钥均可。开启：已有通行密钥的操作员不能再用验证码，没有的登录后须先添加',
  },
  {
    key: PASSKEY_ALONE,
    name: '通行密钥可免密码登录',
    group: '安全',
    kind: 'switch',
    remark: '开启后，登录页可只用通行密钥登录，此时验证器必须验证指纹、面容或 PIN',
  },
  {
    key: SIGNING_REQUIRED,
    name: '签名打款',
    group: '安全',
    kind: 'switch',
    remark: '开启后，每笔打款须由提交人和复核员用签名密钥签名，钱包核验后才付款；须先锁定四眼并有生效的签名名册',
  },
  {
    key: SIGNING_ROSTER_DIGEST,
    name: '签名立即注明名册指纹',
    group: '安全',
    kind: 'switch',
    remark:
      '关闭：从下一版名册起，签名与授权注明名册指纹。开启：当前名册也立即注明。须先升级所有钱包与单独发布的签名页',
  },
  {
    key: OIDC_ONLY,
    name: '已关联企业账号的操作员只能用企业登录',
    group: '安全',
    kind: 'switch',
    remark:
      '开启后，已关联的操作员不能再用密码或免密码的通行密钥登录，其权限总受企业账号的组限制。未配置企业登录时不起作用',
  },
  {
    key: PASSWORD_CHANGE,
    name: '由他人设置的密码须先修改',
    group: '安全',
    kind: 'switch',
    remark: '开启后，新增或被重置密码的操作员登录后须先修改密码，才能进行其他操作；四眼锁定后总是如此',
  },
  {
    key: SESSION_MAX,
    name: '每个操作员同时登录的会话数(个)',
    group: '安全',
    kind: 'num',
    num: String(SESSION_MAX_DEFAULT),
    min: '1',
    max: '1000',
    remark: '登录时超过的，结束最久未使用的会话',
  },
  {
    key: WATERMARK,
    name: '页面水印',
    group: '安全',
    kind: 'switch',
    state: 1,
    remark: '在含个人信息或资金的页面上显示当前操作员账号和时间',
  },
  ...screeningSettings,
  ...queueKeys.map((key): FirstSetting => ({
    key: `${QUEUE_TARGET_PREFIX}${key}`,
    name: `处理目标：${countSpecs[key].label}(分钟)`,
    group: '待办目标',
    kind: 'num',
    num: String(workQueues[key].targetMinutes),
    min: '0',
    max: '10080',
    remark:
      '首页按此时长显示最久等待的进度，超过后标为超时，审核队列中的另通知一次；0 为不设目标。只提醒，不影响任何记录',
  })),
];
