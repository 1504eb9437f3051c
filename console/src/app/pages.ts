import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ComponentType } from 'react';
import type { PageDef } from '../navigation/page-def.ts';

type Load = () => Promise<ComponentType>;
interface PageOptions extends Partial<
  Pick<PageDef, 'shape' | 'keep' | 'planSet' | 'abilities' | 'anyAbility' | 'menu' | 'group'>
> {
  /** Title of the page of one of its cases, which has the path of the list with `/case`. */
  caseTitle?: string;
}

const page = (
  path: string,
  title: string,
  pinyin: string,
  noun: string,
  load: Load,
  { caseTitle, ...options }: PageOptions = {},
): PageDef[] => {
  const common = { noun, load, keep: true };
  const list: PageDef = { ...common, path, title, pinyin, shape: 'list', ...options };
  if (caseTitle === undefined) return [list];
  return [list, { ...common, path: `${path}/case`, title: caseTitle, pinyin: '', shape: 'form' }];
};

const home: Load = async () => (await import('../domains/desk/home/HomePage.tsx')).HomePage;
const agent: Load = async () => (await import('../domains/people/agent/AgentPage.tsx')).AgentPage;
const user: Load = async () => (await import('../domains/people/user/UserPage.tsx')).UserPage;
const kyc: Load = async () => (await import('../domains/risk/kyc/KycPage.tsx')).KycPage;
const withdraw: Load = async () => (await import('../domains/funds/withdraw/WithdrawPage.tsx')).WithdrawPage;
const audit: Load = async () => (await import('../domains/house/audit/AuditPage.tsx')).AuditPage;
const recharge: Load = async () => (await import('../domains/funds/recharge/RechargePage.tsx')).RechargePage;
const ledgerEntry: Load = async () =>
  (await import('../domains/funds/ledger-entry/LedgerEntryPage.tsx')).LedgerEntryPage;
const transfer: Load = async () => (await import('../domains/funds/internal-transfer/TransferPage.tsx')).TransferPage;
const house: Load = async () => (await import('../domains/funds/house/HousePage.tsx')).HousePage;
const houseEntries: Load = async () => (await import('../domains/funds/house/HouseEntryPage.tsx')).HouseEntryPage;
const wallet: Load = async () => (await import('../domains/funds/wallet/WalletPage.tsx')).WalletPage;
const walletCoin: Load = async () => (await import('../domains/funds/wallet-coin/WalletCoinPage.tsx')).WalletCoinPage;
const walletItem: Load = async () => (await import('../domains/funds/wallet/WalletItemPage.tsx')).WalletItemPage;
const walletTransfer: Load = async () =>
  (await import('../domains/funds/wallet-transfer/WalletTransferPage.tsx')).WalletTransferPage;
const config: Load = async () => (await import('../domains/desk/config/ConfigPage.tsx')).ConfigPage;
const configHistory: Load = async () => (await import('../domains/desk/config/HistoryPage.tsx')).HistoryPage;
const gatewayKey: Load = async () => (await import('../domains/house/gateway-key/GatewayKeyPage.tsx')).GatewayKeyPage;
const signing: Load = async () => (await import('../domains/risk/signing/SigningPage.tsx')).SigningPage;
const marketForm: Load = async () => (await import('../domains/trading/market/MarketFormPage.tsx')).MarketFormPage;
const priceProtection: Load = async () =>
  (await import('../domains/risk/price-protection/PriceProtectionPage.tsx')).PriceProtectionPage;
const market: Load = async () => (await import('../domains/trading/market/MarketPage.tsx')).MarketPage;
const announce: Load = async () => (await import('../domains/desk/announce/AnnouncePage.tsx')).AnnouncePage;
const announceForm: Load = async () => (await import('../domains/desk/announce/AnnounceFormPage.tsx')).AnnounceFormPage;
const approval: Load = async () => (await import('../domains/desk/approval/ApprovalPage.tsx')).ApprovalPage;
const sessions: Load = async () => (await import('../domains/house/session/SessionPage.tsx')).SessionPage;
const spot: Load = async () => (await import('../domains/trading/spot/SpotPage.tsx')).SpotPage;
const spotFills: Load = async () => (await import('../domains/trading/spot/FillPage.tsx')).FillPage;
const ieoReview: Load = async () => (await import('../domains/trading/ieo/IeoReviewPage.tsx')).IeoReviewPage;
const ieoHistory: Load = async () => (await import('../domains/trading/ieo/IeoHistoryPage.tsx')).IeoHistoryPage;
const binaryContractConfig: Load = async () =>
  (await import('../domains/trading/binary-contract/BinaryContractConfigPage.tsx')).BinaryContractConfigPage;
const binaryContractOpen: Load = async () =>
  (await import('../domains/trading/binary-contract/BinaryContractOpenPage.tsx')).BinaryContractOpenPage;
const binaryContractClose: Load = async () =>
  (await import('../domains/trading/binary-contract/BinaryContractClosePage.tsx')).BinaryContractClosePage;
const futureWait: Load = async () => (await import('../domains/trading/future/WaitPage.tsx')).WaitPage;
const futureOpen: Load = async () => (await import('../domains/trading/future/OpenPage.tsx')).OpenPage;
const futureFinalStates: Load = async () =>
  (await import('../domains/trading/future/OpenHistoryPage.tsx')).OpenHistoryPage;
const futureCloses: Load = async () =>
  (await import('../domains/trading/future/CloseHistoryPage.tsx')).CloseHistoryPage;
const signal: Load = async () => (await import('../domains/trading/signal/SignalPage.tsx')).SignalPage;
const follow: Load = async () => (await import('../domains/trading/follow/FollowPage.tsx')).FollowPage;
const support: Load = async () => (await import('../domains/desk/support/SupportPage.tsx')).SupportPage;
const report: Load = async () => (await import('../domains/desk/report/ReportPage.tsx')).ReportPage;
const channel: Load = async () => (await import('../domains/desk/channel/ChannelPage.tsx')).ChannelPage;
const alarm: Load = async () => (await import('../domains/house/alarm/AlarmPage.tsx')).AlarmPage;
const rule: Load = async () => (await import('../domains/risk/rule/RulePage.tsx')).RulePage;
const withdrawLimit: Load = async () => (await import('../domains/risk/withdraw-limit/LimitPage.tsx')).LimitPage;
const addressList: Load = async () =>
  (await import('../domains/risk/address-list/AddressListPage.tsx')).AddressListPage;
const autoPayout: Load = async () => (await import('../domains/risk/auto-payout/AutoPage.tsx')).AutoPage;
const command: Load = async () => (await import('../domains/house/command/CommandPage.tsx')).CommandPage;

const houseReaders = { abilities: [ABILITY.headquarters], anyAbility: [ABILITY.assets, ABILITY.audit] };

/** The only table of pages: routes, tabs, menu and command palette are derived from it. */
export const pages: readonly PageDef[] = [
  page('/home', '首页', 'shou ye', 'home', home, { shape: 'dashboard' }),
  page('/agent', '代理管理', 'dai li guan li', 'agent', agent),
  page('/user', '用户列表', 'yong hu lie biao', 'user', user, { group: 'users' }),
  page('/auth', '用户认证', 'yong hu ren zheng', 'auth', kyc, { group: 'users', caseTitle: '认证详情' }),
  page('/recharge', '充值记录', 'chong zhi ji lu', 'recharge', recharge, { group: 'funds' }),
  page('/withdraw', '提现记录', 'ti xian ji lu', 'withdraw', withdraw, { group: 'funds', caseTitle: '提现详情' }),
  page('/fund/record', '资金记录', 'zi jin ji lu', 'fund', ledgerEntry, { group: 'funds' }),
  page('/internalTransfer', '内部转账明细', 'nei bu zhuan zhang ming xi', 'internal-transfer', transfer, {
    group: 'funds',
  }),
  page('/market', '市场管理', 'shi chang guan li', 'market', market),
  page('/market/add', '新增市场', 'xin zeng shi chang', 'market', marketForm, { shape: 'form', keep: false }),
  page('/market/update/:id', '编辑市场', '', 'market', marketForm, { shape: 'form', keep: false }),
  page('/plan', '风控计划', 'feng kong ji hua', 'plan', priceProtection, { group: 'quotes' }),
  page('/trade/order', '现货交易', 'xian huo jiao yi', 'trade', spot),
  page('/trade/fill', '现货成交', 'xian huo cheng jiao', 'trade', spotFills),
  page('/future/wait', '当前委托', 'dang qian wei tuo', 'future', futureWait, { group: 'futures' }),
  page('/future/open', '当前持仓', 'dang qian chi cang', 'future', futureOpen, { group: 'futures' }),
  page('/future/open_history', '委托历史', 'wei tuo li shi', 'future', futureFinalStates, { group: 'futures' }),
  page('/future/close_history', '平仓历史', 'ping cang li shi', 'future', futureCloses, { group: 'futures' }),
  page('/second/config', '秒合约设置', 'miao he yue she zhi', 'second', binaryContractConfig, {
    group: 'seconds',
    menu: '设置',
  }),
  page('/second/open', '秒合约进行中', 'miao he yue jin xing zhong', 'second', binaryContractOpen, {
    group: 'seconds',
    menu: '进行中',
  }),
  page('/second/close', '秒合约历史', 'miao he yue li shi', 'second', binaryContractClose, {
    group: 'seconds',
    menu: '历史',
  }),
  page('/ieo/review', '认购审核', 'ren gou shen he', 'ieo', ieoReview, {
    group: 'ieo',
    menu: '审核',
    caseTitle: '认购详情',
  }),
  page('/ieo/history', '认购历史', 'ren gou li shi', 'ieo', ieoHistory, { group: 'ieo', menu: '历史' }),
  page('/announce', '公告管理', 'gong gao guan li', 'announce', announce, { planSet: true }),
  page('/announce/add', '新增公告', 'xin zeng gong gao', 'announce', announceForm, {
    shape: 'form',
    planSet: true,
    keep: false,
  }),
  page('/announce/update/:id', '编辑公告', '', 'announce', announceForm, { shape: 'form', planSet: true, keep: false }),
  page('/config', '系统设置', 'xi tong she zhi', 'config', config, { shape: 'settings', planSet: true }),
  page('/config/history', '设置变更记录', 'she zhi bian geng ji lu', 'config', configHistory, { planSet: true }),
  page('/config/gateway-key', '网关密钥', 'wang guan mi yao', 'gateway-key', gatewayKey, { planSet: true }),
  page('/config/signing', '签名打款', 'qian ming da kuan', 'signing', signing, { shape: 'settings' }),
  page('/rule', '提现规则', 'ti xian gui ze', 'rule', rule, {
    shape: 'settings',
    group: 'payouts',
    abilities: [ABILITY.platform, ABILITY.headquarters],
  }),
  page('/auto-payout', '自动打款', 'zi dong da kuan', 'auto-payout', autoPayout, {
    shape: 'settings',
    group: 'payouts',
    abilities: [ABILITY.withdraw],
  }),
  page('/withdraw-limit', '提现限额与手续费', 'ti xian xian e yu shou xu fei', 'withdraw-limit', withdrawLimit, {
    shape: 'settings',
    group: 'payouts',
    abilities: [ABILITY.platform, ABILITY.headquarters],
  }),
  page('/address-list', '地址名单', 'di zhi ming dan', 'address-list', addressList, {
    shape: 'settings',
    group: 'payouts',
    abilities: [ABILITY.platform, ABILITY.headquarters],
  }),
  page('/wallet-coin', '钱包对账', 'qian bao dui zhang', 'walletCoin', walletCoin, {
    group: 'payouts',
    ...houseReaders,
  }),
  page('/wallet-item', '链上差异', 'lian shang cha yi', 'wallet', walletItem, { group: 'payouts', ...houseReaders }),
  page('/wallet-transfer', '钱包调拨', 'qian bao diao bo', 'walletTransfer', walletTransfer, {
    group: 'payouts',
    ...houseReaders,
  }),
  page('/wallet', '钱包', 'qian bao', 'wallet', wallet, houseReaders),
  page('/house', '平台账户', 'ping tai zhang hu', 'house', house, {
    shape: 'settings',
    group: 'payouts',
    ...houseReaders,
  }),
  page('/house/entry', '平台账户明细', 'ping tai zhang hu ming xi', 'house', houseEntries, houseReaders),
  page('/approval', '复核', 'fu he', 'approval', approval, { group: 'safety', caseTitle: '复核详情' }),
  page('/alarm', '告警', 'gao jing', 'alarm', alarm, { group: 'safety' }),
  page('/command', '平台指令', 'ping tai zhi ling', 'command', command, { group: 'safety' }),
  page('/audit', '审计日志', 'shen ji ri zhi', 'audit', audit, { group: 'safety', abilities: [ABILITY.audit] }),
  page('/session', '登录会话', 'deng lu hui hua', 'session', sessions, { group: 'safety' }),
  page('/report', '报表', 'bao biao', 'report', report, { group: 'safety' }),
  page('/channel', '通知渠道与定时导出', 'tong zhi qu dao yu ding shi dao chu', 'channel', channel),
  page('/service', '客服', 'ke fu', 'service', support, { shape: 'panes' }),
  page('/signal', '信号', 'xin hao', 'signal', signal),
  page('/follow', '跟单', 'gen dan', 'follow', follow),
].flat();
