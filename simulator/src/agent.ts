import { draw, emit, type World } from './world.ts';

const DAY = 86_400_000;

/** The sales tree: regions, their agents, their teams. Parents stand before their children. */
export const AGENTS: readonly { account: string; parent?: string; remark: string }[] = [
  { account: 'hd_east', remark: '华东大区' },
  { account: 'hn_south', remark: '华南大区' },
  { account: 'hb_north', remark: '华北大区' },
  { account: 'agent_lin', parent: 'hd_east', remark: '林经理，主做存量客户' },
  { account: 'agent_chen', parent: 'hd_east', remark: '陈经理' },
  { account: 'agent_huang', parent: 'hn_south', remark: '黄经理，社群渠道' },
  { account: 'agent_liang', parent: 'hn_south', remark: '梁经理' },
  { account: 'agent_zhao', parent: 'hb_north', remark: '赵经理' },
  { account: 'team_suzhou', parent: 'agent_lin', remark: '苏州团队' },
  { account: 'team_ningbo', parent: 'agent_chen', remark: '宁波团队' },
  { account: 'team_foshan', parent: 'agent_huang', remark: '佛山团队' },
  { account: 'lin_suzhou_a1', parent: 'team_suzhou', remark: '苏州一组' },
];

/** Agents joined before the first users did. */
export function registerAgents(world: World): void {
  AGENTS.forEach((_, index) => agentEvent(world, index));
}

export function agentEvent(world: World, index: number): void {
  const agent = AGENTS[index];
  if (!agent) return;
  const days = 300 - index * 12 - draw(world, 'agent', index).span(0, 10);
  emit(world, 'agent.registered', agent.account, agent, world.state.startedAt - days * DAY);
}
