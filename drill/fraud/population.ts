import type { Random } from '../../simulator/src/random.ts';
import { Customer } from './customer.ts';
import { DAY, HOUR, MINUTE, type Timeline, type UsualCoin, amountText } from './timeline.ts';

/**
 * Ordinary customers. No exchange publishes such figures, so all of them are assumed; where in doubt, what makes a customer
 * look suspicious is more frequent here than it should be.
 */
const MIX = {
  /** Share of customers from before the installation. */
  existing: 0.75,
  /** Withdrawals of a month: median, and sigma of the log-normal distribution. */
  perMonth: [1.3, 0.8],
  /** USDT of a recharge. */
  recharge: [400, 1.2],
  /** Hours from recharge to withdrawal. */
  stay: [72, 1.3],
  /** Customers who use the exchange to pass coins on, within minutes. */
  passing: 0.02,
  /** Withdrawals of a coin that was bought here, or of what was sold here. */
  converted: 0.25,
  /** Withdrawals that take the whole balance. */
  whole: 0.35,
  /** Customers with two addresses, and with many. */
  twoAddresses: 0.25,
  manyAddresses: 0.08,
  /** Withdrawals of others to a new address: a new wallet, or another exchange. */
  newAddress: 0.04,
  /** Customers who use the address of another one: a household, or an exchange's address. */
  sharedAddress: 0.01,
  /** Withdrawals with a login just before them; sessions of the others last for days. */
  freshLogin: 0.7,
  /** Customers who log in only if they need to. */
  rareLogin: 0.3,
  /** Logins from the second device, and changes of the device. */
  secondDevice: 0.12,
  newDevice: 0.01,
  /** Customers by their connection; the rest is at home. */
  mobile: 0.35,
  office: 0.1,
  /** Logins with a new address at home. */
  newHome: 0.08,
  /** Withdrawals within three days after a change of credentials. */
  credential: 0.025,
  /** Customers who verify themselves, and who go on to the advanced level. */
  verified: 0.85,
  advanced: 0.65,
  /** Customers who received a bonus by hand. */
  bonus: 0.03,
} as const;
/** Public addresses of carriers and of offices in the region of a thousand customers. */
const MOBILE_ADDRESSES = 1_500;
const OFFICES = 40;
/** USDT of the smallest withdrawal; the coins have minimums. */
const LEAST_VALUE = { USDT: 25, BTC: 90, ETH: 45 } as const;

interface Habits {
  perMonth: number;
  isPassing: boolean;
  isMobile: boolean;
  manyAddresses: boolean;
  isRare: boolean;
  addresses: Record<UsualCoin, string[]>;
  secondDevice: string;
}

/** Adds ordinary customers with their past and everything they do. */
export function addCustomers(timeline: Timeline, count: number): void {
  const others: Habits['addresses'][] = [];
  for (let index = 0; index < count; index += 1) {
    const { customer, habits, dice } = addCustomer(timeline, `customer${index}`);
    if (others.length > 0 && dice.chance(MIX.sharedAddress)) habits.addresses = { ...dice.pick(others) };
    others.push(habits.addresses);
    live(customer, habits);
  }
}

/** A customer with a past, who does nothing yet. */
export function addCustomer(timeline: Timeline, account: string, joined?: number) {
  const dice = timeline.dice('habits', account);
  const since = joined ?? chooseJoined(timeline, dice);
  const connection = dice.next();
  const isMobile = connection < MIX.mobile;
  const isOffice = !isMobile && connection < MIX.mobile + MIX.office;
  const ip = isMobile ? mobileAddress(dice) : isOffice ? `203.0.113.${dice.int(1, OFFICES)}` : undefined;
  const customer = new Customer(timeline, account, since, ip === undefined ? {} : { ip });
  const count = dice.chance(MIX.twoAddresses) ? 2 : 1;
  const own = (coin: UsualCoin) => Array.from({ length: count }, () => customer.newAddress(coin));
  const habits: Habits = {
    perMonth: Math.min(Math.max(dice.logNormal(...MIX.perMonth), 0.15), 15),
    isPassing: dice.chance(MIX.passing),
    isMobile,
    manyAddresses: dice.chance(MIX.manyAddresses),
    isRare: dice.chance(MIX.rareLogin),
    addresses: { USDT: own('USDT'), BTC: own('BTC'), ETH: own('ETH') },
    secondDevice: dice.pick(['iPad', 'Chrome / Windows 10', 'HUAWEI Mate 60']),
  };
  verify(customer, dice);
  if (since < timeline.start) addPast(customer, habits, dice);
  return { customer, habits, dice };
}

const mobileAddress = (dice: Random): string => {
  const number = dice.int(0, MOBILE_ADDRESSES - 1);
  return `100.64.${Math.floor(number / 250)}.${(number % 250) + 1}`;
};

/** Most customers of a growing exchange are young. */
function chooseJoined({ start, days }: Timeline, dice: Random): number {
  if (dice.chance(MIX.existing)) return start - (1 + 600 * dice.next() ** 2) * DAY;
  return start + dice.span(0, days * 0.95) * DAY;
}

function verify(customer: Customer, dice: Random): void {
  if (!dice.chance(MIX.verified)) return;
  const at = customer.joined + dice.logNormal(20, 1) * HOUR;
  customer.verify(at, 1);
  if (dice.chance(MIX.advanced)) customer.verify(at + dice.logNormal(4 * 24, 1) * HOUR, 2);
}

/** What an exchange imports: recharges and paid withdrawals. */
function addPast(customer: Customer, { perMonth, addresses }: Habits, dice: Random): void {
  const { start } = customer.timeline;
  const gap = (30 * DAY) / perMonth;
  let at = Math.max(customer.joined + 2 * HOUR, start - 6 * gap);
  for (at += gap * dice.exponential(); at < start - HOUR; at += gap * dice.exponential()) {
    const coin = chooseCoin(dice);
    const value = Math.max(dice.logNormal(...MIX.recharge), LEAST_VALUE[coin]);
    const amount = value / customer.timeline.price(coin, at);
    customer.recharge(at - HOUR, coin, amount * 1.1);
    customer.importWithdrawal(at, coin, amount, dice.pick(addresses[coin]));
    customer.login(at - 5 * MINUTE);
  }
}

const chooseCoin = (dice: Random): UsualCoin =>
  dice.weighted([
    ['USDT', 70],
    ['ETH', 16],
    ['BTC', 14],
  ] as const);

/** Adds what a customer does from the start, or from the registration, to the end. */
function live(customer: Customer, habits: Habits): void {
  const { timeline, dice } = customer;
  let last = Math.max(timeline.start, customer.joined) + dice.logNormal(3, 1.2) * HOUR;
  const bonusAt = dice.chance(MIX.bonus) ? last + dice.span(0, 20) * DAY : undefined;
  for (;;) {
    const gap = ((30 * DAY) / habits.perMonth) * dice.exponential();
    const requestAt = last + 30 * MINUTE + gap;
    if (requestAt >= timeline.end) return;
    for (let at = last + dice.span(1, 6) * DAY; !habits.isRare && at < requestAt - HOUR; at += dice.span(1, 6) * DAY)
      login(customer, habits, at);
    if (bonusAt !== undefined && bonusAt >= last && bonusAt < requestAt)
      customer.credit(last + 5 * MINUTE, dice.int(4, 10) * 5);
    request(customer, habits, last, requestAt);
    last = requestAt;
  }
}

function login(customer: Customer, { isMobile, secondDevice }: Habits, at: number): void {
  const { dice } = customer;
  if (isMobile) customer.ip = mobileAddress(dice);
  else if (dice.chance(MIX.newHome)) customer.ip = `198.18.${dice.int(0, 255)}.${dice.int(1, 254)}`;
  const device = dice.chance(MIX.newDevice)
    ? `phone ${dice.int(1, 40)}`
    : dice.chance(MIX.secondDevice)
      ? secondDevice
      : customer.device;
  customer.login(at, { device });
}

/** A recharge if there is too little, perhaps a trade, and the withdrawal. */
function request(customer: Customer, habits: Habits, after: number, at: number): void {
  const { dice, timeline } = customer;
  let coin = chooseCoin(dice);
  if (customer.value(coin, at) < LEAST_VALUE[coin] * 2 || dice.chance(0.7)) {
    const stay = habits.isPassing ? dice.span(6, 60) * MINUTE : dice.logNormal(...MIX.stay) * HOUR;
    const rechargeAt = Math.max(after + 10 * MINUTE, at - stay);
    const usual = dice.logNormal(...MIX.recharge) * (customer.level === 0 ? 0.5 : 1);
    const value = Math.max(usual, LEAST_VALUE[coin] * 1.5);
    customer.recharge(rechargeAt, coin, value / timeline.price(coin, rechargeAt));
    if (!habits.isPassing && dice.chance(MIX.converted)) coin = convert(customer, coin, (rechargeAt + at) / 2);
  }
  if (dice.chance(MIX.credential)) {
    const changedAt = at - dice.span(0.2, 70) * HOUR;
    customer.changeCredential(Math.max(changedAt, customer.joined + 2 * MINUTE));
  }
  if (dice.chance(MIX.freshLogin)) login(customer, habits, at - dice.span(1, 15) * MINUTE);
  const share = dice.chance(MIX.whole) ? 1 : dice.span(0.15, 0.9);
  const amount = floor(coin, customer.balance(coin) * share);
  if (amount * timeline.price(coin, at) < LEAST_VALUE[coin]) return;
  customer.withdraw(at, coin, amount, chooseAddress(customer, habits, coin));
}

/** Buys or sells with what there is, at most. */
function convert(customer: Customer, from: UsualCoin, at: number): UsualCoin {
  const { dice, timeline } = customer;
  const other = from === 'USDT' ? dice.pick(['BTC', 'ETH'] as const) : from;
  const amount = (customer.value(from, at) * 0.98) / timeline.price(other, at);
  const rounded = Number(amountText(other, amount - 1e-6));
  if (rounded <= 0) return from;
  customer.trade(at, other, from === 'USDT' ? 'buy' : 'sell', rounded);
  return from === 'USDT' ? other : 'USDT';
}

/** An amount that the balance surely covers. */
const floor = (coin: UsualCoin, amount: number): number => {
  const unit = coin === 'USDT' ? 100 : 1e6;
  return Math.floor(amount * unit - 1) / unit;
};

function chooseAddress(customer: Customer, { addresses, manyAddresses }: Habits, coin: UsualCoin): string {
  const { dice } = customer;
  if (!dice.chance(manyAddresses ? 0.3 : MIX.newAddress)) return dice.pick(addresses[coin]);
  const address = customer.newAddress(coin);
  addresses[coin].push(address);
  return address;
}
