import { randomBytes } from 'node:crypto';
import { ABILITIES } from '@hengtai/contract/ability';
import { sql } from 'kysely';
import { PASSWORD, makeOperator } from './factories.ts';
import { setPolicy } from './look.ts';
import type { Outcome } from './matrix-cases.ts';
import { type Line, ask, outcomeOf, wordsIn } from './matrix-run.ts';
import { NoSuchCase, PLACES, type Place, type Spot, type Stand, type World } from './matrix-world.ts';
import { call } from './server.ts';

/**
 * Every role makes every call for every place. The expected answer follows from the table, which defines the answers of
 * the own operator: a role that sees a place gets the answer for an own row, any other role gets the answer for a row
 * outside of its scope.
 */
export const ROLES = [
  'child',
  'sibling',
  'other',
  'own',
  'parent',
  'headquarters',
  'admin',
  'disabled',
  'deleted',
] as const;
export type Role = (typeof ROLES)[number];
/** `gone` is a deleted agent and a deleted user below the own operator. */
export const TARGETS = [...PLACES, 'absent', 'gone'] as const;
export type Target = (typeof TARGETS)[number];

const SEES: Record<Role, readonly Target[]> = {
  child: ['child'],
  sibling: ['sibling'],
  other: ['other'],
  own: ['own', 'child'],
  parent: ['own', 'child', 'sibling', 'parent'],
  headquarters: PLACES,
  admin: PLACES,
  disabled: [],
  deleted: [],
};
/** The superiors of a role, whose accounts may appear in its answers. */
const ABOVE: Partial<Record<Role, readonly Stand[]>> = {
  child: ['own', 'parent'],
  own: ['parent'],
  sibling: ['parent'],
};
/** Places whose words a role must not read. The deleted place belongs to the own operator. */
function hiddenFrom(role: Role): Target[] {
  const seen = SEES[role];
  return [...PLACES.filter((place) => !seen.includes(place)), ...(seen.includes('own') ? [] : (['gone'] as const))];
}

export const isDead = (role: Role): boolean => role === 'disabled' || role === 'deleted';

/** The world, its deleted place, and a session for every role. */
export interface Cast {
  world: World;
  gone: Spot;
  tokens: Record<Role, string>;
  dead: readonly { account: string }[];
}

/** Adds roles that only this test needs: the head office, and disabled and deleted operators with open sessions. */
export async function makeCast(world: World): Promise<Cast> {
  const { server, admin, spots } = world;
  const under = { parent: spots.own.agent.account };
  const headquarters = await makeOperator(server, admin, { account: 'the.office', abilities: ABILITIES.slice(1) });
  const disabled = await makeOperator(server, admin, { account: 'the.disabled', ...under });
  const deleted = await makeOperator(server, admin, { account: 'the.deleted', ...under });
  const post = async (path: string, input: object): Promise<void> => {
    const { code, msg } = await call(server, 'POST', path, input, { token: admin });
    if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
  };
  const gone = await makeGone(world);
  await setPolicy(server, 'agent.del', 0);
  for (const { id } of [deleted, gone.agent]) {
    await post('agent/del', { deleteId: id, replaceAccount: spots.own.agent.account });
  }
  await setPolicy(server, 'agent.del', 1);
  await post('user/del', { id: gone.user.id, reason: 'gone' });
  await post('agent/state', { id: disabled.id, type: 0, state: 0 });
  // The sessions ended with their operators. Reopened, they must still be rejected.
  await server.query(sql`update session set ended_at = null where operator_id in (${disabled.id}, ${deleted.id})`);
  const of = (place: Stand): string => spots[place].agent.token;
  const tokens = {
    child: of('child'),
    sibling: of('sibling'),
    other: of('other'),
    own: of('own'),
    parent: of('parent'),
    headquarters: headquarters.token,
    admin,
    disabled: disabled.token,
    deleted: deleted.token,
  };
  return { world: { ...world, word: 'free' }, gone, tokens, dead: [disabled, deleted] };
}

/** Creates an agent with a user below the own operator. Both are deleted after all records are created. */
async function makeGone({ server, admin, spots }: World): Promise<Spot> {
  const canary = `cnry${randomBytes(8).toString('hex')}`;
  const agent = await makeOperator(server, admin, { account: `${canary}.a`, parent: spots.own.agent.account });
  const account = `${canary}.u`;
  const input = { account, password: PASSWORD, agent: agent.account, remark: canary };
  const added = await call<{ id: number }>(server, 'POST', 'user/add', input, { token: admin });
  return {
    canary,
    agent,
    user: { id: added.data.id, account },
    get rejected(): never {
      throw new NoSuchCase();
    },
    requestId: added.requestId,
    gone: true,
  };
}

/** Actual or expected outcomes by role and target. A missing cell means that there is no such case. */
export type Cells = Partial<Record<Role, Partial<Record<Target, Outcome>>>>;

/** Whether the inputs of a line name a place. Each role plays a line without places once. */
const namesPlaces = ({ row: { codes } }: Line): boolean => codes.child !== '-';
const targetsOf = (line: Line, targets: readonly Target[]): readonly Target[] =>
  namesPlaces(line) ? targets : line.row.codes.absent === '-' ? ['own'] : ['own', 'absent'];

/** Answers for the admin only: it alone may go live, and its password differs from the others. */
const ADMINS_OWN: Readonly<Record<string, Outcome>> = {
  // Too few approvers have one-time codes.
  'approval.lock': '409',
  'installation.live': '200',
  'installation.steps': '200',
  'otp.setup': '401',
  'otp.confirm': '409',
  'otp.disable': '401',
  'plan.permission': '200',
  'plan.permit': '200',
  'report.make': '200',
};

/** Answers for operators with full scope. */
const OFFICES_OWN: Readonly<Record<string, Outcome>> = {
  'config.history': '200',
  'config.historyExcel': '200',
  'config.diff': '200',
  'config.restore': '200',
};

/** Records that belong to one operator. Operators above neither see nor change them. */
const OWNERS_ONLY: readonly string[] = ['view', 'export', 'reply'];

/**
 * Calls whose required ability depends on the row. Without access to the row, the answer does not mention the ability.
 */
const BY_ROW: readonly string[] = ['alarm.close', 'command.retry', 'command.resolve'];

/** Visible to the agents that received the grant and to operators with full scope. */
const grants = (name: string, role: Role): boolean =>
  name.startsWith('plan.') && role !== 'admin' && role !== 'headquarters';

/** Expected outcome of a call for a role and a target. */
export function expected({ name, call: spec, row: { codes, also } }: Line, role: Role, target: Target): Outcome {
  if (isDead(role)) return spec.public ? codes.stranger : '400';
  const lacks = codes.unable === '403' || codes.unable === '404';
  if (role === 'child' && lacks && (!BY_ROW.includes(name) || SEES.child.includes(target))) return codes.unable;
  const nowhere = target === 'absent' || target === 'gone';
  if (codes.child === '-') {
    if (nowhere) return codes.absent;
    if (role === 'admin' && ADMINS_OWN[name] !== undefined) return ADMINS_OWN[name];
    if ((role === 'admin' || role === 'headquarters') && OFFICES_OWN[name] !== undefined) return OFFICES_OWN[name];
    return role === 'child' && codes.unable !== '-' ? codes.unable : codes.own;
  }
  if (nowhere) return codes.absent;
  const own = OWNERS_ONLY.includes(spec.target ?? '') || grants(name, role);
  const seen = own ? role === target : SEES[role].includes(target);
  if (!seen || (also && !SEES[role].includes(also))) return codes.sibling;
  // The head office may change only agents below itself, and there are none.
  const changesAgents =
    spec.kind === 'action' && (spec.target === 'agent' || spec.target === 'session' || name === 'agent.add');
  if (role === 'headquarters' && changesAgents) return '403';
  // The admin is the maker of every approval here.
  if (role === 'admin' && spec.target === 'approval' && spec.kind === 'action') return '403';
  return codes.own;
}

export interface Played {
  /** By the name of the line. */
  received: Map<string, Cells>;
  leaks: { call: string; role: Role; target: Target; place: string; around: string }[];
  asked: number;
}

/**
 * Plays every line for each role and target. Roles with less access go first, because their rows must not contain
 * foreign words. Dead roles precede them, because they leave all inputs unused.
 */
export async function play(
  cast: Cast,
  lines: readonly Line[],
  roles: readonly Role[] = ROLES,
  targets: readonly Target[] = TARGETS,
): Promise<Played> {
  const played: Played = { received: new Map(lines.map(({ name }) => [name, {}])), leaks: [], asked: 0 };
  // A refused call leaves its input unused, so the next role can try the same input.
  const left = new Map<string, object[]>();
  for (const role of roles.toSorted((a, b) => Number(isDead(b)) - Number(isDead(a)))) {
    for (const line of lines) {
      const cells: Partial<Record<Target, Outcome>> = {};
      for (const target of targetsOf(line, targets)) {
        const outcome = await cell({ cast, left, played }, line, role, target);
        if (outcome !== undefined) cells[target] = outcome;
      }
      Object.assign(played.received.get(line.name) ?? {}, { [role]: cells });
    }
  }
  return played;
}

interface Stage {
  cast: Cast;
  left: Map<string, object[]>;
  played: Played;
}

async function cell(stage: Stage, line: Line, role: Role, target: Target): Promise<Outcome | undefined> {
  const { cast, left, played } = stage;
  const key = `${line.name} ${target}`;
  const inputs = left.get(key) ?? (await inputsAt(cast, line, target));
  const input = inputs?.[ROLES.indexOf(role) % inputs.length];
  if (!inputs || !input) return undefined;
  left.set(key, inputs);
  const text = await ask(cast.world, line.call, input, await tokenOf(cast, line, role));
  const outcome = outcomeOf(line.call, text) as Outcome;
  if (/^20[02](:20[02])?$/.test(outcome) && line.call.kind !== 'list') left.delete(key);
  // A login names its own operator.
  if (!line.call.public) note(stage, { call: line.name, role, target }, text);
  played.asked += 1;
  return outcome;
}

async function inputsAt(
  { world, gone }: Cast,
  { row, call: spec }: Line,
  target: Target,
): Promise<object[] | undefined> {
  const own = target === 'gone' ? { ...world, spots: { ...world.spots, own: gone } } : world;
  const place: Place = target === 'gone' ? 'own' : target;
  try {
    const inputs = await row.inputs(own, place);
    // An input without an id creates a new record and names no existing one.
    return OWNERS_ONLY.includes(spec.target ?? '') ? inputs.slice(0, 1) : inputs;
  } catch (error) {
    if (error instanceof NoSuchCase) return undefined;
    throw error;
  }
}

/** Session of the role. For a call that ends its session, logs in a new operator directly below that of the role. */
async function tokenOf({ world, tokens }: Cast, { row }: Line, role: Role): Promise<string> {
  if (!row.ends || isDead(role)) return tokens[role];
  const account = `free.e${world.next()}`;
  const place = PLACES.find((one) => one === role);
  const parent = place ? world.spots[place].agent.account : 'admin';
  return (await makeOperator(world.server, world.admin, { parent, account })).token;
}

function note({ cast, played }: Stage, about: { call: string; role: Role; target: Target }, text: string): void {
  const { spots } = cast.world;
  const canaryOf = (place: Target): string => (place === 'gone' ? cast.gone : spots[place as Stand]).canary;
  const foreign = hiddenFrom(about.role).map((place) => ({ place, canary: canaryOf(place) }));
  const superiors = (ABOVE[about.role] ?? []).map((place) => spots[place]);
  for (const leak of wordsIn(text, foreign, superiors)) played.leaks.push({ ...about, ...leak });
}
