/**
 * What the wallet does wrong with a payout that it pays: it acknowledges and says nothing more, reports the payment long after,
 * or reports a second one with another transaction.
 */
export const WALLET_FAULTS = ['silent', 'late', 'second'] as const;
export type WalletFault = (typeof WALLET_FAULTS)[number];

/**
 * The owner's capital of a demo by coin, as decimal strings: the server books it at the first start, and the simulated exchange
 * has it in its wallets.
 */
export const DEMO_CAPITAL: Readonly<Record<string, string>> = {
  USDT: '2000000',
  BTC: '4',
  ETH: '60',
  SOL: '800',
  XRP: '60000',
  HTT: '100000',
};

/** The size and behaviour of the simulated exchange, as set by environment variables. */
export interface SimulatorSettings {
  seed: string;
  /** Customers of the history, and its length in days. */
  users: number;
  days: number;
  /** Share of payouts that fail, and share whose outcome stays unknown. */
  fail: number;
  unknown: number;
  /** Share of cancels that are confirmed late. */
  late: number;
  /** Share of screening requests with a fault: no answer, late, contradicting or an error. */
  screenFaults: number;
  /** Share of payments with each fault of the wallet; none is 0. */
  walletFaults: Partial<Record<WalletFault, number>>;
  /** Multiplies the rate of all events. */
  speed: number;
  /** File with the text of the first signing roster: the wallet pays only what people of it signed. Without it, it pays all. */
  roster?: string;
}

/** Message to the supervisor over IPC during the import of history: the finished share, 0 to 1. */
export interface SimulatorMessage {
  progress: number;
}

interface NumberVariable {
  fallback: number;
  min: number;
  max: number;
  isWhole: boolean;
}

const share = (fallback: number): NumberVariable => ({ fallback, min: 0, max: 1, isWhole: false });

const numbers = {
  SIMULATOR_FAIL: share(0.08),
  SIMULATOR_UNKNOWN: share(0.04),
  SIMULATOR_LATE: share(0.15),
  SIMULATOR_SCREEN_FAULTS: share(0.08),
  SIMULATOR_SPEED: { fallback: 1, min: 0.01, max: 100, isWhole: false },
  SIMULATOR_USERS: { fallback: 2_600, min: 40, max: 20_000, isWhole: true },
  SIMULATOR_DAYS: { fallback: 90, min: 3, max: 365, isWhole: true },
} satisfies Record<string, NumberVariable>;

const SEED = 'hengtai';
const SEED_LENGTH = 100;

const WALLET_RULE = `shares such as ${WALLET_FAULTS.map((fault) => `${fault}:0.01`).join(',')}, together at most 1`;

export const simulatorVariables: readonly string[] = [
  'SIMULATOR_SEED',
  'SIMULATOR_ROSTER',
  'SIMULATOR_WALLET_FAULTS',
  ...Object.keys(numbers),
];

/** The message for an invalid environment variable. `rule` describes accepted values. */
export const describeProblem = (name: string, value: string, rule: string): string =>
  `${name}=${value} is not accepted: ${rule}.`;

/** Reads the simulator's variables. An empty variable counts as unset. Each problem is one line. */
export function readSimulatorSettings(source: Record<string, string | undefined>): {
  settings: SimulatorSettings;
  problems: string[];
} {
  const problems: string[] = [];
  const textOf = (name: string): string => source[name]?.trim() ?? '';
  const read = (name: keyof typeof numbers, fallback = numbers[name].fallback): number => {
    const text = textOf(name);
    if (text === '') return fallback;
    const value = parseNumber(text, numbers[name]);
    if (value === undefined) problems.push(describeProblem(name, text, ruleOf(numbers[name])));
    return value ?? fallback;
  };
  const seed = textOf('SIMULATOR_SEED') || SEED;
  if (seed.length > SEED_LENGTH) {
    problems.push(describeProblem('SIMULATOR_SEED', seed, `at most ${SEED_LENGTH} characters`));
  }
  const fail = read('SIMULATOR_FAIL');
  const unknown = read('SIMULATOR_UNKNOWN');
  // The default shrinks so that the three shares stay within 1.
  const late = read('SIMULATOR_LATE', Math.max(0, Math.min(numbers.SIMULATOR_LATE.fallback, 1 - fail - unknown)));
  if (fail + unknown + late > 1 + Number.EPSILON * 4) {
    const shares = `SIMULATOR_FAIL=${fail}, SIMULATOR_UNKNOWN=${unknown} and SIMULATOR_LATE=${late}`;
    problems.push(`${shares} are not accepted: together at most 1.`);
  }
  const [speed, users, days] = [read('SIMULATOR_SPEED'), read('SIMULATOR_USERS'), read('SIMULATOR_DAYS')];
  const roster = textOf('SIMULATOR_ROSTER');
  const screenFaults = read('SIMULATOR_SCREEN_FAULTS');
  const faultsText = textOf('SIMULATOR_WALLET_FAULTS');
  const walletFaults = parseWalletFaults(faultsText);
  if (!walletFaults) problems.push(describeProblem('SIMULATOR_WALLET_FAULTS', faultsText, WALLET_RULE));
  const shares = { fail, unknown, late, screenFaults, walletFaults: walletFaults ?? {} };
  return { settings: { seed, users, days, ...shares, speed, ...(roster !== '' && { roster }) }, problems };
}

/** Reads a list such as `silent:0.01,late:0.02`. @returns undefined if it is none, or names a fault twice */
function parseWalletFaults(text: string): SimulatorSettings['walletFaults'] | undefined {
  const shares: SimulatorSettings['walletFaults'] = {};
  for (const part of text === '' ? [] : text.split(',')) {
    const [name, number = ''] = part.split(':').map((word) => word.trim());
    const fault = WALLET_FAULTS.find((one) => one === name);
    const value = parseNumber(number, share(0));
    if (!fault || value === undefined || shares[fault] !== undefined) return undefined;
    shares[fault] = value;
  }
  const sum = Object.values(shares).reduce((total, value) => total + value, 0);
  return sum > 1 + Number.EPSILON * 4 ? undefined : shares;
}

function parseNumber(text: string, { min, max, isWhole }: NumberVariable): number | undefined {
  if (!(isWhole ? /^\d+$/ : /^(\d+\.?\d*|\.\d+)$/).test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

const ruleOf = ({ min, max, isWhole }: NumberVariable): string =>
  `a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`;
