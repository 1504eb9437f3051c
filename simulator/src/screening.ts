import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { Ack } from '@hengtai/contract/gateway/schema';
import type { Random } from './random.ts';
import { emit, randomFor, type World } from './world.ts';
import type { PendingAnswer } from './records.ts';

/** The providers that screen addresses and names for the platform, with their faults. */

type ScreenCommand = Extract<PlatformCommand, { type: 'screen.requested' }>;
type Answer = EventData['screen.answered'];

type Fault = 'none' | 'silent' | 'late' | 'contradicting' | 'error';
const FAULTS: readonly Fault[] = ['silent', 'late', 'contradicting', 'error'];

/** The same address or name always has the same finding. */
const FINDINGS = [
  ['clear', 94],
  ['hit', 3],
  ['unknown', 3],
] as const;
const PROVIDERS = { address: ['链上分析（模拟）', '地址情报（模拟）'], name: ['制裁名单（模拟）', '名单核对（模拟）'] };
const CATEGORIES = { address: ['混币器', '盗窃资金', '暗网市场', '制裁'], name: ['制裁', '政治公众人物'] };
/** Requests whose answers wait. Beyond it the provider is silent. */
const PENDING_MAX = 1_000;

/**
 * Accepts a request, or fails as a provider that answers with status 500. The times of its answers depend on the command
 * only, so that a repeated command has the same events.
 */
export function screen(world: World, { id, at, data }: ScreenCommand): Ack {
  const dice = randomFor(world, 'screening', data.no);
  const fault: Fault = dice.chance(world.options.screenFaults) ? dice.pick(FAULTS) : 'none';
  if (fault === 'error') return { id, state: 'failed', reason: '服务商返回 500' };
  if (fault !== 'silent' && Object.keys(world.state.screenings).length < PENDING_MAX)
    for (const [index, answer] of createAnswers(world, data, { at, fault, dice }).entries())
      world.state.screenings[`${data.no}#${index}`] = answer;
  return { id, state: 'done' };
}

/** Emits the answers that are due. */
export function stepScreenings(world: World): void {
  for (const [key, { data, due }] of Object.entries(world.state.screenings)) {
    if (due > world.now) continue;
    emit(world, 'screen.answered', key, data, due);
    delete world.state.screenings[key];
  }
}

function createAnswers(
  world: World,
  data: ScreenCommand['data'],
  { at, fault, dice }: { at: number; fault: Fault; dice: Random },
): PendingAnswer[] {
  const [provider = '', other = ''] = PROVIDERS[data.kind];
  const due = at + dice.int(1_000, 6_000);
  const answer = createAnswer(world, data, provider);
  if (fault === 'late') return [{ data: answer, due: data.dueAt + dice.int(20_000, 90_000) }];
  if (fault !== 'contradicting') return [{ data: answer, due }];
  const opposite = { ...answer, provider: other, ...findingOf(answer.result === 'hit' ? 'clear' : 'hit', data, dice) };
  return [
    { data: answer, due },
    { data: opposite, due: due + dice.int(2_000, 8_000) },
  ];
}

function createAnswer(world: World, data: ScreenCommand['data'], provider: string): Answer {
  const dice = randomFor(world, 'screened', data.kind, data.address ?? data.name ?? '');
  const result = dice.weighted(FINDINGS);
  return { no: data.no, provider, ...findingOf(result, data, dice), reference: dice.text('0123456789abcdef', 12) };
}

function findingOf(result: Answer['result'], { kind }: ScreenCommand['data'], dice: Random) {
  const score = { clear: dice.int(0, 20), hit: dice.int(75, 100), unknown: dice.int(30, 60) }[result];
  return { result, score, categories: result === 'hit' ? [dice.pick(CATEGORIES[kind])] : [] };
}
