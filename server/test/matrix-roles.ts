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
 * Every role asks for something of every place. What is to come of it follows from the rows of the table, which say what
 * the own operator gets: an operator who sees a place gets what the own operator gets of its own, an operator who does
 * not see it gets the answer for places outside.
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
/** `gone` is an agent and a user below the own operator that have been deleted. */
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
/** Who stands above a role, and may be named to it. */
const ABOVE: Partial<Record<Role, readonly Stand[]>> = {
  child: ['own', 'parent'],
  own: ['parent'],
  sibling: ['parent'],
};
/** Whose words a role must not read; the deleted ones are the own operator's. */
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

/** Adds to a world who only plays here: the head office, and operators whose sessions are good but who are not. */
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
  // Their sessions ended with them. Alive again they must still be worth nothing.
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

/** An agent below the own operator with a user; both are deleted once everything is made. */
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

/** For each role and target what came, or what is to come; a cell without an entry has no such case. */
export type Cells = Partial<Record<Role, Partial<Record<Target, Outcome>>>>;

/** Whether a line's inputs name a place at all; what names none is asked once by each role. */
const namesPlaces = ({ row: { codes } }: Line): boolean => codes.child !== '-';
const targetsOf = (line: Line, targets: readonly Target[]): readonly Target[] =>
  namesPlaces(line) ? targets : line.row.codes.absent === '-' ? ['own'] : ['own', 'absent'];

/** What is told to the admin alone: only it goes live, and it has another password than all others. */
const ADMINS_OWN: Readonly<Record<string, Outcome>> = {
  // There are too few approvers with codes.
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

/** What is told to those who oversee the whole house. */
const OFFICES_OWN: Readonly<Record<string, Outcome>> = {
  'config.history': '200',
  'config.historyExcel': '200',
  'config.diff': '200',
  'config.restore': '200',
};

/** What is its owner's alone: those above neither see nor change it. */
const OWNERS_ONLY: readonly string[] = ['view', 'export', 'reply'];

/** Which ability they need depends on the row, so an operator who does not see the row is not told that one is missing. */
const BY_ROW: readonly string[] = ['alarm.close', 'command.retry', 'command.resolve'];

/** Plans are the business of those to whom they were granted, and of who sees everything. */
const grants = (name: string, role: Role): boolean =>
  name.startsWith('plan.') && role !== 'admin' && role !== 'headquarters';

/** What a role is to be told of a target. */
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
  // The head office changes only agents below itself, and there are none.
  const changesAgents =
    spec.kind === 'action' && (spec.target === 'agent' || spec.target === 'session' || name === 'agent.add');
  if (role === 'headquarters' && changesAgents) return '403';
  // The admin asked for all of them.
  if (role === 'admin' && spec.target === 'approval' && spec.kind === 'action') return '403';
  return codes.own;
}

export interface Played {
  /** By the line's name. */
  received: Map<string, Cells>;
  leaks: { call: string; role: Role; target: Target; place: string; around: string }[];
  asked: number;
}

/** Each role asks each line for each target. Roles with less access go first: their rows must not hold foreign words. */
export async function play(
  cast: Cast,
  lines: readonly Line[],
  roles: readonly Role[] = ROLES,
  targets: readonly Target[] = TARGETS,
): Promise<Played> {
  const played: Played = { received: new Map(lines.map(({ name }) => [name, {}])), leaks: [], asked: 0 };
  // What was refused is as it was, so that the next role can be refused it as well.
  const left = new Map<string, object[]>();
  for (const role of roles) {
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
  // Who logs in names himself.
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
    // What is saved without an id is a new one, and names nobody's.
    return OWNERS_ONLY.includes(spec.target ?? '') ? inputs.slice(0, 1) : inputs;
  } catch (error) {
    if (error instanceof NoSuchCase) return undefined;
    throw error;
  }
}

/** A session of the role; one that will end by the call is made for it, right below. */
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
