import { DAY_MS, startOfDay } from './rhythm.ts';
import { emit, type World } from './world.ts';

/** Length of the history in days for which the ages below are written. */
const TABLE_DAYS = 90;

export interface Agent {
  account: string;
  parent?: string;
  remark: string;
  /** Age in days, counted back from the midnight that begins the start day. */
  days: number;
  /** Relative weight when a new customer is assigned to an agent; 0: dormant. */
  share: number;
}

const agent = (account: string, parent: string | undefined, days: number, share: number, remark: string): Agent =>
  parent === undefined ? { account, days, share, remark } : { account, parent, days, share, remark };

/**
 * The sales tree, up to five levels deep, with large, medium, small, dormant and recently added branches. A parent
 * comes before its children and is older than they are.
 */
export const AGENTS: readonly Agent[] = [
  agent('jinhai888', undefined, 97.58, 20, '金海 华东总代，年度框架合同'),
  agent('nanyue_li', undefined, 96.41, 14, '南粤 李总，社群渠道'),
  agent('chuanyu.tang', undefined, 95.37, 9, '川渝大区'),
  agent('hongda_beijing', undefined, 94.44, 8, '宏达（北京）'),
  agent('kelvin.sg', undefined, 93.52, 5, '新加坡团队，英文客户'),
  agent('hk_wingcheung', undefined, 92.39, 4, '香港 永昌'),
  agent('yuanyang2019', undefined, 95.61, 0.4, '合作已暂停，客户转由总部维护'),
  agent('jh_shanghai', 'jinhai888', 95.46, 18, '上海分部'),
  agent('jh_hangzhou', 'jinhai888', 94.43, 15, '杭州分部'),
  agent('jh_nanjing', 'jinhai888', 93.59, 11, '南京分部'),
  agent('jh_suzhou', 'jinhai888', 91.42, 9, '苏州分部'),
  agent('jh_ningbo', 'jinhai888', 77.38, 6, '宁波分部，8月并入'),
  agent('jh_hefei', 'jinhai888', 58.55, 4, '合肥，试点'),
  agent('nanyue_sz', 'nanyue_li', 94.51, 12, '深圳'),
  agent('nanyue_gz', 'nanyue_li', 93.36, 10, '广州'),
  agent('nanyue_dg', 'nanyue_li', 80.47, 5, '东莞 佛山'),
  agent('chengdu_he', 'chuanyu.tang', 92.62, 8, '成都 何经理'),
  agent('cq_jiangbei', 'chuanyu.tang', 88.4, 6, '重庆江北'),
  agent('hd_haidian', 'hongda_beijing', 90.54, 6, '海淀组'),
  agent('hd_tianjin', 'hongda_beijing', 71.45, 4, '天津'),
  agent('kelvin.kl', 'kelvin.sg', 64.39, 3, '吉隆坡'),
  agent('linmeihua', 'jh_shanghai', 93.48, 13, '林美华，老客户多'),
  agent('zhoujie_sh', 'jh_shanghai', 90.37, 10, '周杰，线下沙龙'),
  agent('pudong_team', 'jh_shanghai', 82.6, 8, '浦东团队'),
  agent('xuhui_03', 'jh_shanghai', 47.41, 3, '徐汇三组'),
  agent('xihu.wu', 'jh_hangzhou', 91.57, 10, '西湖 吴老师'),
  agent('yuhang_chen', 'jh_hangzhou', 84.35, 8, '余杭 陈工'),
  agent('binjiang_kol', 'jh_hangzhou', 62.53, 9, '主播渠道，注册多、入金少'),
  agent('gulou_sun', 'jh_nanjing', 88.49, 6, '鼓楼 孙经理'),
  agent('jiangning02', 'jh_nanjing', 53.44, 3, '江宁二组'),
  agent('yuanqu_qian', 'jh_suzhou', 86.38, 6, '园区 钱经理'),
  agent('futian.luo', 'nanyue_sz', 92.56, 9, '福田 罗经理'),
  agent('nanshan_dev', 'nanyue_sz', 79.42, 7, '南山，程序员社群'),
  agent('longhua_xie', 'nanyue_sz', 51.37, 3, '龙华 谢'),
  agent('tianhe_mo', 'nanyue_gz', 89.61, 7, '天河 莫老师'),
  agent('panyu88', 'nanyue_gz', 66.46, 3, '番禺'),
  agent('wuhou_zeng', 'chengdu_he', 87.4, 5, '武侯 曾'),
  agent('gaoxin_pu', 'chengdu_he', 55.52, 3, '高新区'),
  agent('zgc_gao', 'hd_haidian', 83.39, 4, '中关村 高'),
  agent('ouyang_lm', 'linmeihua', 89.53, 8, '欧阳，林美华推荐'),
  agent('tanglaoshi', 'linmeihua', 76.36, 7, '唐老师，讲师'),
  agent('songjiang_li', 'linmeihua', 44.58, 2, '松江'),
  agent('salon_jingan', 'zhoujie_sh', 72.47, 5, '静安沙龙'),
  agent('pd_zhangjiang', 'pudong_team', 68.41, 5, '张江'),
  agent('pd_lujiazui', 'pudong_team', 61.37, 4, '陆家嘴，大额客户'),
  agent('xixi_live', 'binjiang_kol', 49.55, 6, '西溪直播间'),
  agent('mango_anchor', 'binjiang_kol', 38.6, 5, '芒果主播'),
  agent('xl_futian', 'futian.luo', 70.43, 4, '福田写字楼'),
  agent('devclub_sz', 'nanshan_dev', 59.39, 4, '开发者俱乐部'),
  agent('oy_group1', 'ouyang_lm', 67.5, 5, '欧阳一组'),
  agent('oy_group2', 'ouyang_lm', 42.38, 3, '欧阳二组'),
  agent('tls_evening', 'tanglaoshi', 36.54, 3, '晚课学员'),
  agent('dormant_anshan', 'hd_tianjin', 69.57, 0, '鞍山，未开展业务'),
  agent('qinhuai_old', 'jh_nanjing', 85.48, 0.15, '原负责人离职'),
  agent('jinan_luy', 'hongda_beijing', 6.44, 1.2, '济南，上周签约'),
  agent('xiamen_huang', 'nanyue_li', 2.56, 1, '厦门 黄，新签'),
  agent('luoyang_zhao', 'hongda_beijing', 1.41, 0.6, '洛阳 赵，新签'),
  agent('xian_qujiang', 'chuanyu.tang', 0.55, 0, '西安曲江，昨日开户'),
];

/** Time at which an agent joined, in Unix ms. A history shorter than the table scales all ages down. */
export const agentJoinedAt = (world: Pick<World, 'state' | 'options'>, { days }: Agent): number =>
  Math.floor(startOfDay(world.state.startedAt) - days * DAY_MS * Math.min(world.options.days / TABLE_DAYS, 1));

export function emitAgent(world: World, index: number): void {
  const found = AGENTS[index];
  if (!found) return;
  const { account, parent, remark } = found;
  const data = parent === undefined ? { account, remark } : { account, parent, remark };
  emit(world, 'agent.registered', account, data, agentJoinedAt(world, found));
}
