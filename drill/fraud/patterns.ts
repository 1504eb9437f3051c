import { createAddress } from '../../simulator/src/address.ts';
import { chooseDevice } from '../../simulator/src/name.ts';
import { Customer } from './customer.ts';
import { type Attack, addSleeper, addVictim, early, visible } from './attack.ts';
import { alternateTexts, swapMemo, useBlockedMemo, useOtherText } from './destination-patterns.ts';
import { DAY, HOUR, MINUTE, type Timeline, networkOf } from './timeline.ts';

function takeOver(attack: Attack): void {
  const { dice, at } = attack;
  const { customer } = addVictim(attack, dice.int(800, 6_000));
  const thief = { ip: `192.0.2.${dice.int(1, 254)}`, device: chooseDevice(dice) };
  customer.login(at, thief);
  customer.changeCredential(at + 4 * MINUTE);
  const amount = customer.balance('USDT') - 1;
  customer.withdraw(at + 9 * MINUTE, 'USDT', amount, customer.newAddress('USDT'), visible('takeover'));
}

/** The thief has the password and changes nothing. */
function stealSession(attack: Attack): void {
  const { dice, at } = attack;
  const { customer } = addVictim(attack, dice.int(600, 4_000));
  customer.login(at, { ip: `192.0.2.${dice.int(1, 254)}`, device: chooseDevice(dice) });
  const amount = customer.balance('USDT') - 1;
  customer.withdraw(at + 6 * MINUTE, 'USDT', amount, customer.newAddress('USDT'), visible('stolen password'));
}

function fanIn(attack: Attack): void {
  const { dice, at } = attack;
  const address = createAddress(networkOf('USDT'), dice);
  let requestAt = at;
  for (let index = 0; index < 8; index += 1) {
    const { customer } = addSleeper(attack, `mule${index}`);
    requestAt += dice.span(2, 8) * HOUR;
    customer.recharge(requestAt - dice.span(20, 70) * HOUR, 'USDT', 500);
    customer.login(requestAt - 5 * MINUTE);
    const label = index === 0 ? early('fan-in') : visible('fan-in');
    customer.withdraw(requestAt, 'USDT', dice.int(350, 480), address, label);
  }
}

function passThrough(attack: Attack): void {
  const { dice, at } = attack;
  const { customer, address } = addSleeper(attack, 'transit');
  customer.recharge(at, 'USDT', dice.int(900, 8_000));
  customer.login(at + 3 * MINUTE);
  const amount = customer.balance('USDT') * 0.96;
  customer.withdraw(at + dice.span(4, 20) * MINUTE, 'USDT', amount, address, visible('in and out'));
}

/** Many withdrawals below the amount that needs a second person, or far below it. */
function split(attack: Attack): void {
  const { dice, at } = attack;
  const { customer, address } = addVictim(attack, 60_000);
  const isSmall = dice.chance(0.5);
  let total = 0;
  let requestAt = at;
  for (let index = 0; index < (isSmall ? 10 : 5); index += 1) {
    const amount = isSmall ? dice.int(1_100, 2_600) : dice.int(8_500, 9_900);
    total += amount;
    const label = total > 10_000 ? visible('splitting') : early('splitting');
    requestAt += dice.span(0.5, 1.5) * HOUR;
    customer.withdraw(requestAt, 'USDT', amount, address, label);
  }
}

function wake({ timeline, id, dice, at }: Attack): void {
  const customer = new Customer(timeline, `dormant-${id}`, timeline.start - dice.span(300, 500) * DAY);
  customer.verify(customer.joined + DAY, 1);
  customer.recharge(customer.joined + 2 * DAY, 'USDT', dice.int(700, 4_500));
  customer.login(timeline.start - dice.span(90, 150) * DAY);
  customer.login(at - 3 * HOUR, { ip: `198.19.${dice.int(0, 255)}.${dice.int(1, 254)}` });
  const amount = customer.balance('USDT') - 1;
  customer.withdraw(at, 'USDT', amount, customer.newAddress('USDT'), visible('dormant account'));
}

function cashBonus(attack: Attack): void {
  const { dice, at } = attack;
  const { customer, address } = addSleeper(attack, 'bonus');
  customer.credit(at - dice.span(5, 30) * HOUR, dice.int(200, 900));
  customer.login(at - 5 * MINUTE);
  const amount = customer.balance('USDT') * 0.98;
  customer.withdraw(at, 'USDT', amount, address, visible('bonus'));
}

/** Accounts under one agent that were made for its rewards. The leader pays them by internal transfers. */
function runRing(attack: Attack): void {
  const { timeline, dice, at, id } = attack;
  const agent = `agent-${id}`;
  timeline.event(at - 70 * DAY, 'agent.registered', { account: agent });
  const { customer: leader } = addSleeper(attack, 'leader', { agent });
  leader.recharge(at - 3 * DAY, 'USDT', 3_000);
  const places = [1, 2].map((n) => `198.51.100.${(dice.int(0, 120) * 2 + n) % 254}`);
  let requestAt = at;
  for (let index = 0; index < 10; index += 1) {
    const joined = at - dice.span(1.5, 3) * DAY;
    const ip = places[index % 2] ?? '';
    const member = new Customer(timeline, `ring${index}-${id}`, joined, { ip, agent });
    requestAt += dice.span(10, 50) * MINUTE;
    leader.transfer(requestAt - dice.span(2, 9) * HOUR, member, 120);
    member.login(requestAt - 5 * MINUTE);
    member.withdraw(requestAt, 'USDT', 110, member.newAddress('USDT'), visible('referral ring'));
  }
}

/** The chain forgets the recharge after the withdrawal. */
function reorganize(attack: Attack): void {
  const { dice, at } = attack;
  const { customer, address } = addSleeper(attack, 'reorg');
  const no = customer.recharge(at, 'USDT', dice.int(1_500, 7_000));
  const amount = customer.balance('USDT') * 0.97;
  customer.withdraw(at + dice.span(8, 25) * MINUTE, 'USDT', amount, address, visible('reversed recharge'));
  customer.reverse(at + 50 * MINUTE, no);
}

function raiseLevel(attack: Attack): void {
  const { dice, at } = attack;
  const { customer, address } = addSleeper(attack, 'upgraded');
  customer.recharge(at - dice.span(40, 90) * HOUR, 'USDT', 9_000);
  customer.verify(at - dice.span(10, 200) * MINUTE, 2);
  customer.withdraw(at, 'USDT', dice.int(3_000, 8_500), address, visible('new level'));
}

/** Accounts with addresses of their own, used from one place. */
function shareAddress(attack: Attack): void {
  const { dice, at } = attack;
  const ip = `192.0.2.${dice.int(1, 254)}`;
  let requestAt = at;
  for (let index = 0; index < 7; index += 1) {
    const { customer, address } = addSleeper(attack, `farm${index}`);
    requestAt += dice.span(1, 9) * HOUR;
    customer.recharge(requestAt - dice.span(30, 80) * HOUR, 'USDT', 1_500);
    customer.login(requestAt - 8 * MINUTE, { ip });
    const label = index < 3 ? early('one IP address') : visible('one IP address');
    customer.withdraw(requestAt, 'USDT', dice.int(700, 1_400), address, label);
  }
}

function followFrozen(attack: Attack): void {
  const { dice, at } = attack;
  const { customer: frozen, address } = addSleeper(attack, 'frozen');
  attack.timeline.task(at - 4 * DAY, { kind: 'freeze', account: frozen.account });
  const { customer } = addSleeper(attack, 'follower');
  customer.recharge(at - dice.span(30, 60) * HOUR, 'USDT', 1_000);
  customer.login(at - 6 * MINUTE);
  customer.withdraw(at, 'USDT', dice.int(400, 900), address, visible('address of a frozen user'));
}

/** One account loses to the other by trades far from the market. */
function washTrade(attack: Attack): void {
  const { dice, at } = attack;
  const { customer: loser } = addVictim(attack, 9_000);
  const { customer: winner, address } = addSleeper(attack, 'winner');
  winner.recharge(at - 3 * DAY, 'USDT', 300);
  for (let round = 0; round < 5; round += 1) {
    const tradeAt = at - (10 - round * 1.5) * HOUR;
    const price = attack.timeline.price('ETH', tradeAt);
    const amount = 0.05;
    const gain = dice.span(5, 9);
    winner.trade(tradeAt, 'ETH', 'buy', amount, price);
    winner.trade(tradeAt + 5 * MINUTE, 'ETH', 'sell', amount, price * gain);
    loser.trade(tradeAt, 'ETH', 'buy', amount, price * gain);
    loser.trade(tradeAt + 5 * MINUTE, 'ETH', 'sell', amount, price);
  }
  winner.login(at - 10 * MINUTE);
  winner.withdraw(at, 'USDT', winner.balance('USDT') * 0.97, address, visible('wash trade'));
}

function cashVoucher(attack: Attack): void {
  const { dice, at } = attack;
  const { customer } = addSleeper(attack, 'voucher');
  customer.recharge(at - dice.span(3, 10) * HOUR, 'USDT', dice.int(1_000, 6_000), true);
  customer.login(at - 5 * MINUTE);
  const amount = customer.balance('USDT') * 0.97;
  customer.withdraw(at, 'USDT', amount, customer.newAddress('USDT'), visible('voucher'));
}

/** Passed on in another coin than the one that came in. */
function swapCoin(attack: Attack): void {
  const { dice, at } = attack;
  const { customer } = addSleeper(attack, 'swap', { days: 110 });
  const address = customer.newAddress('ETH');
  customer.recharge(customer.joined + 5 * DAY, 'ETH', 0.03);
  customer.importWithdrawal(customer.joined + 7 * DAY, 'ETH', 0.02, address);
  customer.recharge(at, 'USDT', dice.int(1_500, 7_000));
  const price = attack.timeline.price('ETH', at + 5 * MINUTE);
  customer.trade(at + 5 * MINUTE, 'ETH', 'buy', Math.floor((customer.balance('USDT') * 0.98 * 1e4) / price) / 1e4);
  customer.withdraw(
    at + dice.span(12, 30) * MINUTE,
    'ETH',
    customer.balance('ETH') * 0.99,
    address,
    visible('coin swap'),
  );
}

/** A thief who takes little at a time. */
function drain(attack: Attack): void {
  const { dice, at } = attack;
  const { customer } = addVictim(attack, dice.int(1_200, 3_000));
  const address = customer.newAddress('USDT');
  const thief = { ip: `192.0.2.${dice.int(1, 254)}`, device: chooseDevice(dice) };
  for (let day = 0; day < 4; day += 0.8) {
    customer.login(at + day * DAY, thief);
    customer.withdraw(at + day * DAY + 5 * MINUTE, 'USDT', dice.int(90, 180), address, visible('slow drain'));
  }
}

/** Each kind of attack. */
export const patterns: readonly ((attack: Attack) => void)[] = [
  takeOver,
  stealSession,
  fanIn,
  passThrough,
  split,
  wake,
  cashBonus,
  runRing,
  reorganize,
  raiseLevel,
  shareAddress,
  followFrozen,
  washTrade,
  cashVoucher,
  swapCoin,
  drain,
  alternateTexts,
  swapMemo,
  useBlockedMemo,
  useOtherText,
];

/** Adds `rounds` attacks of each kind to the time from `from` to the end. */
export function addAttacks(timeline: Timeline, from: number, rounds: number): void {
  patterns.forEach((add, kind) => {
    for (let round = 0; round < rounds; round += 1) {
      const dice = timeline.dice('attack', kind, round);
      const at = dice.span(from, timeline.end - 4 * DAY);
      add({ timeline, id: `${kind}x${round}`, dice, at });
    }
  });
}
