import { ABILITY } from '@hengtai/contract/ability';
import type { ComponentType } from 'react';
import type { PageDef } from '../navigation/page-def.ts';

type Load = () => Promise<ComponentType>;
type PageOptions = Partial<Pick<PageDef, 'keep' | 'planSet' | 'ability' | 'menu' | 'group'>>;

const page = (path: string, title: string, noun: string, load: Load, options: PageOptions = {}): PageDef => ({
  path,
  title,
  noun,
  keep: true,
  load,
  ...options,
});

const home: Load = async () => (await import('../features/home/HomePage.tsx')).HomePage;
const agent: Load = async () => (await import('../features/agent/AgentPage.tsx')).AgentPage;
const user: Load = async () => (await import('../features/user/UserPage.tsx')).UserPage;
const kyc: Load = async () => (await import('../features/kyc/KycPage.tsx')).KycPage;
const withdraw: Load = async () => (await import('../features/withdraw/WithdrawPage.tsx')).WithdrawPage;
const audit: Load = async () => (await import('../features/audit/AuditPage.tsx')).AuditPage;
const recharge: Load = async () => (await import('../features/recharge/RechargePage.tsx')).RechargePage;
const ledgerEntry: Load = async () => (await import('../features/ledger-entry/LedgerEntryPage.tsx')).LedgerEntryPage;
const transfer: Load = async () => (await import('../features/internal-transfer/TransferPage.tsx')).TransferPage;
const config: Load = async () => (await import('../features/config/ConfigPage.tsx')).ConfigPage;
const configHistory: Load = async () => (await import('../features/config/HistoryPage.tsx')).HistoryPage;
const marketForm: Load = async () => (await import('../features/market/MarketFormPage.tsx')).MarketFormPage;
const priceProtection: Load = async () =>
  (await import('../features/price-protection/PriceProtectionPage.tsx')).PriceProtectionPage;
const market: Load = async () => (await import('../features/market/MarketPage.tsx')).MarketPage;
const announce: Load = async () => (await import('../features/announce/AnnouncePage.tsx')).AnnouncePage;
const announceForm: Load = async () => (await import('../features/announce/AnnounceFormPage.tsx')).AnnounceFormPage;
const approval: Load = async () => (await import('../features/approval/ApprovalPage.tsx')).ApprovalPage;
const sessions: Load = async () => (await import('../features/session/SessionPage.tsx')).SessionPage;
const spot: Load = async () => (await import('../features/spot/SpotPage.tsx')).SpotPage;
const ieoReview: Load = async () => (await import('../features/ieo/IeoReviewPage.tsx')).IeoReviewPage;
const ieoHistory: Load = async () => (await import('../features/ieo/IeoHistoryPage.tsx')).IeoHistoryPage;
const binaryContractConfig: Load = async () =>
  (await import('../features/binary-contract/BinaryContractConfigPage.tsx')).BinaryContractConfigPage;
const binaryContractOpen: Load = async () =>
  (await import('../features/binary-contract/BinaryContractOpenPage.tsx')).BinaryContractOpenPage;
const binaryContractClose: Load = async () =>
  (await import('../features/binary-contract/BinaryContractClosePage.tsx')).BinaryContractClosePage;
const futureWait: Load = async () => (await import('../features/future/WaitPage.tsx')).WaitPage;
const futureOpen: Load = async () => (await import('../features/future/OpenPage.tsx')).OpenPage;
const futureFinalStates: Load = async () => (await import('../features/future/OpenHistoryPage.tsx')).OpenHistoryPage;
const futureCloses: Load = async () => (await import('../features/future/CloseHistoryPage.tsx')).CloseHistoryPage;
const signal: Load = async () => (await import('../features/signal/SignalPage.tsx')).SignalPage;
const follow: Load = async () => (await import('../features/follow/FollowPage.tsx')).FollowPage;
const support: Load = async () => (await import('../features/support/SupportPage.tsx')).SupportPage;
const report: Load = async () => (await import('../features/report/ReportPage.tsx')).ReportPage;
const alarm: Load = async () => (await import('../features/alarm/AlarmPage.tsx')).AlarmPage;
const command: Load = async () => (await import('../features/command/CommandPage.tsx')).CommandPage;

/** The only table of pages: routes, tabs, menu and command palette are derived from it. */
export const pages: readonly PageDef[] = [
  page('/home', '首页', 'home', home),
  page('/agent', '代理管理', 'agent', agent),
  page('/user', '用户列表', 'user', user, { group: 'users' }),
  page('/auth', '用户认证', 'auth', kyc, { group: 'users' }),
  page('/recharge', '充值记录', 'recharge', recharge, { group: 'funds' }),
  page('/withdraw', '提现记录', 'withdraw', withdraw, { group: 'funds' }),
  page('/fund/record', '资金记录', 'fund', ledgerEntry, { group: 'funds' }),
  page('/internalTransfer', '内部转账明细', 'internal-transfer', transfer, { group: 'funds' }),
  page('/market', '市场管理', 'market', market),
  page('/market/add', '新增市场', 'market', marketForm, { keep: false }),
  page('/market/update/:id', '编辑市场', 'market', marketForm, { keep: false }),
  page('/plan', '风控计划', 'plan', priceProtection, { group: 'quotes' }),
  page('/trade/order', '现货交易', 'trade', spot),
  page('/future/wait', '当前委托', 'future', futureWait, { group: 'futures' }),
  page('/future/open', '当前持仓', 'future', futureOpen, { group: 'futures' }),
  page('/future/open_history', '委托历史', 'future', futureFinalStates, { group: 'futures' }),
  page('/future/close_history', '平仓历史', 'future', futureCloses, { group: 'futures' }),
  page('/second/config', '秒合约设置', 'second', binaryContractConfig, { group: 'seconds', menu: '设置' }),
  page('/second/open', '秒合约进行中', 'second', binaryContractOpen, { group: 'seconds', menu: '进行中' }),
  page('/second/close', '秒合约历史', 'second', binaryContractClose, { group: 'seconds', menu: '历史' }),
  page('/ieo/review', '认购审核', 'ieo', ieoReview, { group: 'ieo', menu: '审核' }),
  page('/ieo/history', '认购历史', 'ieo', ieoHistory, { group: 'ieo', menu: '历史' }),
  page('/announce', '公告管理', 'announce', announce, { planSet: true }),
  page('/announce/add', '新增公告', 'announce', announceForm, { planSet: true, keep: false }),
  page('/announce/update/:id', '编辑公告', 'announce', announceForm, { planSet: true, keep: false }),
  page('/config', '系统设置', 'config', config, { planSet: true }),
  page('/config/history', '设置变更记录', 'config', configHistory, { planSet: true }),
  page('/approval', '复核', 'approval', approval, { group: 'safety' }),
  page('/alarm', '告警', 'alarm', alarm, { group: 'safety' }),
  page('/command', '平台指令', 'command', command, { group: 'safety' }),
  page('/audit', '审计日志', 'audit', audit, { group: 'safety', ability: ABILITY.audit }),
  page('/session', '登录会话', 'session', sessions, { group: 'safety' }),
  page('/report', '报表', 'report', report, { group: 'safety' }),
  page('/service', '客服', 'service', support),
  page('/signal', '信号', 'signal', signal),
  page('/follow', '跟单', 'follow', follow),
];
