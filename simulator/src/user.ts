import { AGENTS } from './agent.ts';
import { type Random, random } from './random.ts';
import { count, draw, emit, type World } from './world.ts';

export const USER_COUNT = 200;
const DAY = 86_400_000;

export interface User {
  account: string;
  agent: string | undefined;
  /** How long before the platform came to life they joined. */
  age: number;
  /** Withdrew before, to an address that is known by now. */
  veteran: boolean;
}

const SURNAMES = [
  'zhang',
  'wang',
  'li',
  'zhao',
  'chen',
  'liu',
  'yang',
  'huang',
  'zhou',
  'wu',
  'xu',
  'sun',
  'ma',
  'zhu',
];
const GIVEN = [
  'wei',
  'fang',
  'na',
  'min',
  'jing',
  'qiang',
  'lei',
  'yan',
  'jun',
  'tao',
  'mei',
  'hao',
  'xin',
  'yu',
  'bo',
];
const NICKS = ['btc', 'lucky', 'hodl', 'moon', 'trader', 'laowang', 'xiaoyu', 'dahai', 'feng', 'qingtian', 'sunny'];
// Names and numbers that nobody can own, so that no made-up customer is a real one: reserved mail domains, a mobile
// prefix that is not given out, addresses reserved for documentation.
const DOMAINS = ['mail.example', 'post.example', 'inbox.example', 'foxmail.example'];
const PHONE_PREFIX = '12';
const DEVICES = ['iPhone 17', 'iPhone 15', 'Xiaomi 15', 'HUAWEI Mate 70', 'Chrome 140 / Windows', 'Safari 19 / macOS'];
const IP_BLOCKS = ['192.0.2', '198.51.100', '203.0.113'];

/** All users of a seed, the oldest first. */
export function users(seed: string): User[] {
  const taken = new Set<string>(AGENTS.map((agent) => agent.account));
  const found: User[] = [];
  for (let index = 0; index < USER_COUNT; index += 1) {
    const dice = random(seed, 'user', index);
    let account = accountName(dice);
    while (taken.has(account)) account = accountName(dice);
    taken.add(account);
    const agent = dice.chance(0.06) ? undefined : dice.weighted(AGENTS.map((one, at) => [one.account, at < 3 ? 1 : 3]));
    // The newest few joined within the last hours, so that today's count is not empty.
    const age = ((USER_COUNT - index) / USER_COUNT) ** 1.4 * 110 * DAY;
    found.push({ account, agent, age: Math.round(age), veteran: age > 12 * DAY && dice.chance(0.45) });
  }
  return found;
}

function accountName(dice: Random): string {
  const surname = dice.pick(SURNAMES);
  const given = dice.pick(GIVEN) + (dice.chance(0.4) ? dice.pick(GIVEN) : '');
  switch (dice.weighted([['mail', 4] as const, ['phone', 3] as const, ['name', 3] as const, ['nick', 2] as const])) {
    case 'mail': {
      const local = dice.pick([`${surname}.${given}`, `${given}${surname}`, `${surname}${given}${dice.int(70, 99)}`]);
      return `${local}@${dice.pick(DOMAINS)}`;
    }
    case 'phone':
      return `${PHONE_PREFIX}${dice.text('0123456789', 9)}`;
    case 'name':
      return `${surname}_${given}${dice.chance(0.5) ? dice.int(1, 99) : ''}`;
    default:
      return `${dice.pick(NICKS)}${dice.pick(['', '_', '.'])}${dice.int(1, 2_030)}`;
  }
}

export function registerUsers(world: World): void {
  for (const { account, agent, age } of world.users) {
    const data = agent === undefined ? { account } : { account, agent };
    emit(world, 'user.registered', account, data, world.state.startedAt - age);
  }
}

export function login(world: World): void {
  const number = count(world, 'login');
  const dice = draw(world, 'login', number);
  const { account } = dice.pick(world.users);
  const ip = `${dice.pick(IP_BLOCKS)}.${dice.int(1, 254)}`;
  // Most people log in with what they always have in their hands.
  const device = dice.chance(0.85) ? draw(world, 'device', account).pick(DEVICES) : dice.pick(DEVICES);
  emit(world, 'user.login', String(number), { account, ip, device });
}

export function changeCredential(world: World, chosen?: string): void {
  const number = count(world, 'credential');
  const dice = draw(world, 'credential', number);
  const account = chosen ?? dice.pick(world.users).account;
  const kind = dice.weighted([
    ['password', 5] as const,
    ['otp', 3] as const,
    ['phone', 1] as const,
    ['mail', 1] as const,
  ]);
  emit(world, 'user.credential', String(number), { account, kind });
}
