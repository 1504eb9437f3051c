import { AGENTS, agentJoinedAt } from './agent.ts';
import { generateAccountName, chooseDevice, generateIpAddress, chooseRemark } from './name.ts';
import { type Random, createRandom } from './random.ts';
import { DAY_MS, startOfDay, sampleDayWeights, sampleTimeOfDay, distribute } from './rhythm.ts';
import { nextNumber, randomFor, emit, type World } from './world.ts';
import type { User } from './records.ts';

type Scene = Pick<World, 'state' | 'options'>;

/** Agents with joinCount registrations and few recharges. */
const CROWDS = ['binjiang_kol', 'xixi_live', 'mango_anchor'];
/** One user in this joinCount is far richer than the others. */
const RICH_EVERY = 41;

/** Activity per day of the past and of the start day; registrations and all actions follow it. */
export const samplePastWeights = ({ state, options }: Scene): number[] =>
  sampleDayWeights(createRandom(options.seed, 'days'), firstMidnightOf({ state, options }), options.days);

/** The midnight at which the past begins, in Unix ms. */
export const firstMidnightOf = ({ state, options }: Scene): number =>
  startOfDay(state.startedAt) - options.days * DAY_MS;

/** All users in order of registration: those of the past, then those who joined since the start. */
export function createUsers(scene: Scene): User[] {
  const { seed, users: total, days } = scene.options;
  const dawn = firstMidnightOf(scene);
  const taken = new Set<string>(AGENTS.map((agent) => agent.account.toLowerCase()));
  const found: User[] = [];
  distribute(total, samplePastWeights(scene), days).forEach((joinCount, day) => {
    const dice = createRandom(seed, 'joins', day);
    const times = Array.from({ length: joinCount }, () => dawn + day * DAY_MS + sampleTimeOfDay(dice)).sort(
      (a, b) => a - b,
    );
    for (const joined of times)
      found.push(generateUser(scene, createRandom(seed, 'user', found.length), found.length, joined, taken));
  });
  const before = found.filter((user) => user.joined < scene.state.startedAt);
  const later = scene.state.counters['joiner'] ?? 0;
  for (let number = 0; number < later; number += 1)
    before.push(generateJoiner(scene, number, scene.state.startedAt, taken));
  return before;
}

const generateJoiner = (scene: Scene, number: number, joined: number, taken: Set<string>): User =>
  generateUser(scene, createRandom(scene.options.seed, 'joiner', number), number, joined, taken);

function generateUser(scene: Scene, dice: Random, index: number, joined: number, taken: Set<string>): User {
  let account = generateAccountName(dice);
  while (taken.has(account.toLowerCase())) account = generateAccountName(dice);
  taken.add(account.toLowerCase());
  const open = AGENTS.filter((agent) => agent.share > 0 && agentJoinedAt(scene, agent) < joined);
  const agent = open.length === 0 || dice.chance(0.04) ? undefined : chooseAgent(dice, open);
  const onlooker = dice.chance(agent !== undefined && CROWDS.includes(agent) ? 0.6 : 0.22);
  const rich = index % RICH_EVERY === 7;
  return {
    account,
    agent,
    remark: chooseRemark(dice),
    joined,
    appetite: Math.min((1 - dice.next()) ** (-1 / 1.25), 60),
    wealth: rich ? dice.logNormal(45, 0.5) : onlooker ? 0 : dice.logNormal(1, 0.8),
    leaves: dice.chance(0.35) && !rich ? joined + dice.exponential() * 18 * DAY_MS : Number.POSITIVE_INFINITY,
  };
}

const chooseAgent = (dice: Random, open: readonly (typeof AGENTS)[number][]): string =>
  dice.weighted(open.map(({ account, share }) => [account, share] as const));

export function register(world: World, { account, agent, remark }: User): void {
  const data = { account, ...(agent === undefined ? {} : { agent }), ...(remark === undefined ? {} : { remark }) };
  emit(world, 'user.registered', account, data);
}

/** Registers a new user, who logs in immediately. */
export function createUser(world: World): void {
  const taken = new Set([...AGENTS, ...world.users].map(({ account }) => account.toLowerCase()));
  const user = generateJoiner(world, nextNumber(world, 'joiner'), world.now, taken);
  world.users.push(user);
  register(world, user);
  login(world, user);
}

/** A random user, weighted by activity. */
export function pickActiveUser(world: World, dice: Random): User {
  return dice.weighted(world.users.map((user) => [user, user.leaves > world.now ? user.appetite : 0.02] as const));
}

export function login(world: World, user: User): void {
  const number = nextNumber(world, 'login');
  const dice = randomFor(world, 'login', number);
  const { account } = user;
  // Most logins use the user's home address and usual device.
  const usual = dice.chance(0.78);
  const ip = generateIpAddress(usual ? randomFor(world, 'home', account) : dice);
  const device = chooseDevice(usual ? randomFor(world, 'device', account) : dice);
  emit(world, 'user.login', String(number), { account, ip, device });
}

export const loginRandomUser = (world: World): void =>
  login(world, pickActiveUser(world, randomFor(world, 'login who', world.state.counters['login'] ?? 0)));

export function changeCredential(world: World, chosen?: string): void {
  const number = nextNumber(world, 'credential');
  const dice = randomFor(world, 'credential', number);
  const account = chosen ?? pickActiveUser(world, dice).account;
  const kind = dice.weighted([
    ['password', 5] as const,
    ['otp', 3] as const,
    ['phone', 1] as const,
    ['mail', 1] as const,
  ]);
  emit(world, 'user.credential', String(number), { account, kind });
}
