import { createAccount, createAddress } from '../../simulator/src/address.ts';
import { chooseDevice } from '../../simulator/src/name.ts';
import { type Attack, addSleeper, addVictim, early, visible } from './attack.ts';
import { DAY, HOUR, MINUTE, networkOf } from './timeline.ts';

// Attacks that write one account in another way, or with another memo.

/** As `fanIn`, but each account writes the address in another way. */
export function alternateTexts(attack: Attack): void {
  const { dice, at } = attack;
  const { texts } = createAccount(networkOf('USDT'), dice);
  let requestAt = at;
  for (let index = 0; index < 6; index += 1) {
    const { customer } = addSleeper(attack, `writer${index}`);
    requestAt += dice.span(2, 8) * HOUR;
    customer.recharge(requestAt - dice.span(20, 70) * HOUR, 'USDT', 500);
    customer.login(requestAt - 5 * MINUTE);
    const label = index === 0 ? early('alternating texts') : visible('alternating texts');
    customer.withdraw(requestAt, 'USDT', dice.int(350, 480), texts[index % texts.length] ?? '', label);
  }
}

/** A thief withdraws to the exchange that the victim uses, with the memo of another account there. */
export function swapMemo(attack: Attack): void {
  const { timeline, dice, at } = attack;
  const { customer } = addVictim(attack, 100);
  const address = createAddress(networkOf('XRP'), dice);
  const memo = String(dice.int(1, 1_000_000));
  customer.recharge(timeline.start - 40 * DAY, 'XRP', 100);
  customer.importWithdrawal(timeline.start - 39 * DAY, 'XRP', 50, { address, memo });
  customer.recharge(at - 4 * DAY, 'XRP', dice.int(1_500, 6_000));
  customer.login(at, { ip: `192.0.2.${dice.int(1, 254)}`, device: chooseDevice(dice) });
  const swapped = { address, memo: String(Number(memo) + 1) };
  customer.withdraw(at + 6 * MINUTE, 'XRP', customer.balance('XRP') - 1, swapped, visible('memo swap'));
}

/** The house blocked an account; others withdraw to it with memos of their own. */
export function useBlockedMemo(attack: Attack): void {
  const { dice, at } = attack;
  const address = createAddress(networkOf('XRP'), dice);
  attack.timeline.task(at - 3 * DAY, { kind: 'block', address });
  for (let index = 0; index < 4; index += 1) {
    const { customer } = addSleeper(attack, `memo${index}`);
    customer.recharge(at - dice.span(30, 60) * HOUR, 'XRP', 900);
    customer.login(at + index * 2 * HOUR - 5 * MINUTE);
    const payee = index === 0 ? address : { address, memo: String(dice.int(0, 4_000_000_000)) };
    const label = visible('memo of a blocked account');
    customer.withdraw(at + index * 2 * HOUR, 'XRP', dice.int(300, 800), payee, label);
  }
}

/** The house blocked an account that the customer was paid to, by one text; the customer writes others. */
export function useOtherText(attack: Attack): void {
  const { dice, at } = attack;
  const { texts } = createAccount(networkOf('USDT'), dice);
  const [listed, ...others] = texts;
  const { customer } = addVictim(attack, 3_000);
  customer.withdraw(at - 3 * DAY, 'USDT', 60, listed, early('preparation'));
  attack.timeline.task(at - 2 * DAY, { kind: 'block', address: listed });
  for (const [index, text] of others.entries())
    customer.withdraw(at + index * 3 * HOUR, 'USDT', dice.int(200, 700), text, visible('text of a listed account'));
}
