import { randomBytes } from 'node:crypto';
import { ABILITIES } from '@hengtai/contract/authority/ability';
import { sql } from 'kysely';
import { level } from '../../testing/level.ts';
import { PASSWORD, makeOperator } from './factories.ts';
import { setPolicy } from './inspect.ts';
import type { Outcome } from './matrix-cases.ts';
import { type Line, fetchAnswer, findLeakedWords, lines, outcomeOf } from './matrix-run.ts';
import {
  NoSuchCase,
  PLACES,
  type Place,
  type PlaceData,
  type TreePlace,
  type World,
  nextName,
} from './matrix-world.ts';
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

const VISIBLE_TARGETS: Record<Role, readonly Target[]> = {
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
const SUPERIORS: Partial<Record<Role, readonly TreePlace[]>> = {
  child: ['own', 'parent'],
  own: ['parent'],
  sibling: ['parent'],
};
/** Places whose words a role must not read. The deleted place belongs to the own operator. */
function hiddenTargetsOf(role: Role): Target[] {
  const visible = VISIBLE_TARGETS[role];
  return [
    ...PLACES.filter((place) => !visible.includes(place)),
    ...(visible.includes('own') ? [] : (['gone'] as const)),
  ];
}

export const isBlocked = (role: Role): boolean => role === 'disabled' || role === 'deleted';

/** The world, its deleted place, and a session for every role. */
export interface RoleWorld {
  world: World;
  deletedPlace: PlaceData;
  tokens: Record<Role, string>;
  blocked: readonly { account: string }[];
}

/** Adds roles that only this test needs: the head office, and disabled and deleted operators with open sessions. */
export async function makeRoleWorld(world: World): Promise<RoleWorld> {
  const { server, admin, places } = world;
  const parentOptions = { parent: places.own.agent.account };
  const headquarters = await makeOperator(server, admin, { account: 'the.office', abilities: ABILITIES.slice(1) });
  const disabled = await makeOperator(server, admin, { account: 'the.disabled', ...parentOptions });
  const deleted = await makeOperator(server, admin, { account: 'the.deleted', ...parentOptions });
  const post = async (path: string, input: object): Promise<void> => {
    const { code, msg } = await call(server, 'POST', path, input, { token: admin });
    if (code !== 200) throw new Error(`${path}: ${code} ${msg}`);
  };
  const deletedPlace = await makeDeletedPlace(world);
  await setPolicy(server, 'agent.del', 0);
  for (const { id } of [deleted, deletedPlace.agent]) {
    await post('agent/del', { deleteId: id, replaceAccount: places.own.agent.account });
  }
  await setPolicy(server, 'agent.del', 1);
  await post('user/del', { id: deletedPlace.user.id, reason: 'gone' });
  await post('agent/state', { id: disabled.id, type: 0, state: 0 });
  // The sessions ended with their operators. Reopened, they must still be rejected.
  await server.query(sql`update session set ended_at = null where operator_id in (${disabled.id}, ${deleted.id})`);
  const tokenAt = (place: TreePlace): string => places[place].agent.token;
  const tokens = {
    child: tokenAt('child'),
    sibling: tokenAt('sibling'),
    other: tokenAt('other'),
    own: tokenAt('own'),
    parent: tokenAt('parent'),
    headquarters: headquarters.token,
    admin,
    disabled: disabled.token,
    deleted: deleted.token,
  };
  return { world: { ...world, accountPrefix: 'free' }, deletedPlace, tokens, blocked: [disabled, deleted] };
}

/** Creates an agent with a user below the own operator. Both are deleted after all records are created. */
async function makeDeletedPlace({ server, admin, places }: World): Promise<PlaceData> {
  const canary = `cnry${randomBytes(8).toString('hex')}`;
  const agent = await makeOperator(server, admin, { account: `${canary}.a`, parent: places.own.agent.account });
  const account = `${canary}.u`;
  const input = { account, password: PASSWORD, agent: agent.account, remark: canary };
  const response = await call<{ id: number }>(server, 'POST', 'user/add', input, { token: admin });
  return {
    canary,
    agent,
    user: { id: response.data.id, account },
    get rejected(): never {
      throw new NoSuchCase();
    },
    requestId: response.requestId,
    isDeleted: true,
  };
}

/** Actual or expected outcomes by role and target. A missing cell means that there is no such case. */
export type Cells = Partial<Record<Role, Partial<Record<Target, Outcome>>>>;

/** Whether the inputs of a line name a place. Each role plays a line without places once. */
const hasPlaces = ({ row: { codes } }: Line): boolean => codes.child !== '-';

const seed = Number(process.env['TEST_SEED']);

/**
 * Targets that a role plays a line for: one that it sees and one that is hidden from it, chosen by the seed, and the missing
 * ones. The long run plays all of them.
 */
export function targetsOf(line: Line, role: Role): readonly Target[] {
  if (!hasPlaces(line)) return line.row.codes.absent === '-' ? ['own'] : ['own', 'absent'];
  if (level === 'long') return TARGETS;
  const pick = (places: readonly Target[]): readonly Target[] =>
    places.length === 0 ? [] : places.slice((seed + lines.indexOf(line)) % places.length).slice(0, 1);
  const visible = VISIBLE_TARGETS[role];
  const hidden = PLACES.filter((place) => !visible.includes(place));
  // A blocked operator is refused before anything is looked up.
  return [...pick(visible), ...pick(hidden), ...(isBlocked(role) ? [] : (['absent', 'gone'] as const))];
}

/** Answers for the admin only: it alone may go live, and its password differs from the others. */
const ADMIN_OUTCOMES: Readonly<Record<string, Outcome>> = {
  // Too few approvers have one-time codes.
  'approval.lock': '409',
  'gatewayKey.list': '200',
  'gatewayKey.save': '200',
  'gatewayKey.issue': '200',
  'gatewayKey.revoke': '200',
  'gatewayKey.platformSave': '200',
  'installation.live': '200',
  'installation.steps': '200',
  'otp.setup': '401',
  'otp.confirm': '409',
  'otp.disable': '401',
  'passkey.enrol': '401',
  'plan.permission': '200',
  'plan.permit': '200',
  'report.make': '200',
};

/** Answers for operators with full scope. */
const HEADQUARTERS_OUTCOMES: Readonly<Record<string, Outcome>> = {
  'config.history': '200',
  'config.historyExcel': '200',
  'config.diff': '200',
  'config.restore': '200',
  'house.list': '200',
  'house.entries': '200',
  'house.entriesExcel': '200',
  'house.preview': '200',
  // The owner's capital has nothing.
  'house.transfer': '409',
  'walletTransfer.list': '200 empty',
  'walletTransfer.excel': '200 empty',
  'walletTransfer.preview': '422',
  'walletTransfer.request': '422',
  'walletTransfer.cancel': '404',
  'walletTransfer.resolve': '404',
  'wallet.list': '200 empty',
  'wallet.excel': '200 empty',
  'wallet.items': '200 empty',
  'wallet.itemsExcel': '200 empty',
  'wallet.explain': '404',
  'walletCoin.list': '200 empty',
  'walletCoin.excel': '200 empty',
  'walletCoin.detail': '404',
  'report.solvency': '200',
  'report.leaves': '200',
  'rule.list': '200',
  'rule.detail': '404',
  'rule.save': '200',
  'rule.state': '404',
  'rule.backtest': '200',
  'withdrawLimit.list': '200',
  'withdrawLimit.versions': '200',
  'withdrawLimit.save': '404',
  'withdrawLimit.groupSave': '200',
  'withdrawLimit.groupDelete': '404',
  'autoPayout.detail': '404',
  'autoPayout.whatIf': '404',
  'autoPayout.startWhatIf': '404',
  'autoPayout.save': '404',
  'autoPayout.start': '404',
  'addressList.list': '200',
  'addressList.entries': '200',
  'addressList.detail': '404',
  'addressList.recent': '404',
  'addressList.add': '200',
  'addressList.remove': '404',
  'addressList.upload': '200',
  'addressList.apply': '404',
  'signing.state': '200',
  'signing.propose': '422',
  'signing.close': '404',
};

/** What the maker of an open request may do with it. */
const MAKER_OUTCOMES: Readonly<Record<string, Outcome>> = { 'approval.cancel': '200', 'approval.resubmit': '409' };

/** Records that belong to one operator. Operators above neither see nor change them. */
const OWNER_ONLY_TARGETS: readonly string[] = ['view', 'export', 'reply', 'channel', 'schedule'];

/**
 * Calls whose required ability depends on the row. Without access to the row, the answer does not mention the ability.
 */
const ABILITY_BY_ROW: readonly string[] = ['alarm.close', 'command.retry', 'command.resolve'];

/** Visible to the agents that received the grant and to operators with full scope. */
const isVisibleByGrant = (name: string, role: Role): boolean =>
  name.startsWith('plan.') && role !== 'admin' && role !== 'headquarters';

/** Expected outcome of a call for a role and a target. */
export function expectedOutcome(
  { name, call: spec, row: { codes, alsoNames } }: Line,
  role: Role,
  target: Target,
): Outcome {
  if (isBlocked(role)) return spec.public ? codes.stranger : '400';
  const lacksAbility = codes.unable === '403' || codes.unable === '404';
  if (role === 'child' && lacksAbility && (!ABILITY_BY_ROW.includes(name) || VISIBLE_TARGETS.child.includes(target)))
    return codes.unable;
  const isMissing = target === 'absent' || target === 'gone';
  if (codes.child === '-') {
    if (isMissing) return codes.absent;
    if (role === 'admin' && ADMIN_OUTCOMES[name] !== undefined) return ADMIN_OUTCOMES[name];
    if ((role === 'admin' || role === 'headquarters') && HEADQUARTERS_OUTCOMES[name] !== undefined)
      return HEADQUARTERS_OUTCOMES[name];
    return role === 'child' && codes.unable !== '-' ? codes.unable : codes.own;
  }
  if (isMissing) return codes.absent;
  const isOwnerOnly = OWNER_ONLY_TARGETS.includes(spec.target ?? '') || isVisibleByGrant(name, role);
  const isVisible = isOwnerOnly ? role === target : VISIBLE_TARGETS[role].includes(target);
  if (!isVisible || (alsoNames && !VISIBLE_TARGETS[role].includes(alsoNames))) return codes.sibling;
  // The head office may change only agents below itself, and there are none.
  const changesAgents =
    spec.kind === 'action' && (spec.target === 'agent' || spec.target === 'session' || name === 'agent.add');
  if (role === 'headquarters' && changesAgents && name !== 'approval.known') return '403';
  // The admin is the maker of every approval here.
  if (role === 'admin' && spec.target === 'approval' && spec.kind === 'action') return MAKER_OUTCOMES[name] ?? '403';
  return codes.own;
}

export interface RoleResult {
  /** By the name of the line. */
  received: Map<string, Cells>;
  leaks: { call: string; role: Role; target: Target; place: string; around: string }[];
}

/**
 * Plays the lines for each role and its targets. Roles with less access go first, because their rows must not contain
 * foreign words. Disabled and deleted operators precede them, because they leave all inputs unused.
 */
export async function runRoles(
  roleWorld: RoleWorld,
  selected: readonly Line[],
  roles: readonly Role[] = ROLES,
  targets: (line: Line, role: Role) => readonly Target[] = targetsOf,
): Promise<RoleResult> {
  const result: RoleResult = { received: new Map(selected.map(({ name }) => [name, {}])), leaks: [] };
  // A refused call leaves its input unused, so the next role can try the same input.
  const unusedInputs = new Map<string, object[]>();
  for (const role of roles.toSorted((a, b) => Number(isBlocked(b)) - Number(isBlocked(a)))) {
    for (const line of selected) {
      const cells: Partial<Record<Target, Outcome>> = {};
      for (const target of targets(line, role)) {
        const outcome = await runCell({ roleWorld, unusedInputs, result }, line, role, target);
        if (outcome !== undefined) cells[target] = outcome;
      }
      Object.assign(result.received.get(line.name) ?? {}, { [role]: cells });
    }
  }
  return result;
}

interface RunState {
  roleWorld: RoleWorld;
  unusedInputs: Map<string, object[]>;
  result: RoleResult;
}

async function runCell(state: RunState, line: Line, role: Role, target: Target): Promise<Outcome | undefined> {
  const { roleWorld, unusedInputs } = state;
  const key = `${line.name} ${target}`;
  const inputs = unusedInputs.get(key) ?? (await makeInputs(roleWorld, line, target));
  const input = inputs?.[ROLES.indexOf(role) % inputs.length];
  if (!inputs || !input) return undefined;
  unusedInputs.set(key, inputs);
  const text = await fetchAnswer(roleWorld.world, line.call, input, await tokenOf(roleWorld, line, role));
  const outcome = outcomeOf(line.call, text) as Outcome;
  if (/^20[02](:20[02])?$/.test(outcome) && line.call.kind !== 'list') unusedInputs.delete(key);
  // A login names its own operator.
  if (!line.call.public) recordLeaks(state, { call: line.name, role, target }, text);
  return outcome;
}

async function makeInputs(
  { world, deletedPlace }: RoleWorld,
  { row, call: spec }: Line,
  target: Target,
): Promise<object[] | undefined> {
  const worldOfTarget = target === 'gone' ? { ...world, places: { ...world.places, own: deletedPlace } } : world;
  const place: Place = target === 'gone' ? 'own' : target;
  try {
    const inputs = await row.inputs(worldOfTarget, place);
    // An input without an id creates a new record and names no existing one.
    return OWNER_ONLY_TARGETS.includes(spec.target ?? '') ? inputs.slice(0, 1) : inputs;
  } catch (error) {
    if (error instanceof NoSuchCase) return undefined;
    throw error;
  }
}

/** Session of the role. For a call that ends its session, logs in a new operator directly below that of the role. */
async function tokenOf({ world, tokens }: RoleWorld, { row }: Line, role: Role): Promise<string> {
  if (!row.endsSession || isBlocked(role)) return tokens[role];
  const account = `free.e${nextName(world)}`;
  const place = PLACES.find((one) => one === role);
  const parent = place ? world.places[place].agent.account : 'admin';
  return (await makeOperator(world.server, world.admin, { parent, account })).token;
}

function recordLeaks(
  { roleWorld, result }: RunState,
  source: { call: string; role: Role; target: Target },
  text: string,
): void {
  const { places } = roleWorld.world;
  const canaryOf = (place: Target): string =>
    (place === 'gone' ? roleWorld.deletedPlace : places[place as TreePlace]).canary;
  const foreign = hiddenTargetsOf(source.role).map((place) => ({ place, canary: canaryOf(place) }));
  const superiors = (SUPERIORS[source.role] ?? []).map((place) => places[place]);
  for (const leak of findLeakedWords(text, foreign, superiors)) result.leaks.push({ ...source, ...leak });
}
