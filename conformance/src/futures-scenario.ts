import { Decimal } from '@hengtai/contract/values/decimal';
import type { Scenario, Stage } from './stage.ts';

/** What an operator closes: a part of the position, then the rest, then nothing that is left. */
const [OPEN, FIRST, REST] = ['3', '1', '2'];
const BY_OPERATOR = 5;

export const futuresClose: Scenario = {
  name: 'futures-close',
  summary: 'an operator closes a part of a position, the command comes again, then the rest, then more than is open',
  needs: ['redelivery'],
  skip: (stage) => stage.skipWithout('futures'),
  run: async (stage) => {
    const account = await stage.makeCustomer();
    const no = await stage.platform.position(account, OPEN);
    await stage.expect(
      () => stage.office.events.find('position.opened', { no }).length > 0,
      'Report position.placed and position.opened, with the number that the control port returned.',
    );
    const first = await close(stage, no, FIRST);
    await expectClosed(stage, no, FIRST);
    stage.office.commands.resend(first);
    stage.office.notify();
    await stage.expect(
      () => stage.office.commands.acksOf(first).length > 1,
      'Acknowledge position.close each time it is delivered.',
    );
    await expectClosed(stage, no, FIRST);
    await close(stage, no, REST);
    await expectClosed(stage, no, OPEN);
    const late = await close(stage, no, FIRST);
    stage.require(
      stage.office.commands.acksOf(late)[0]?.state === 'failed',
      `Acknowledge position.close as failed, with a reason, if nothing is open: ${no} was closed before.`,
    );
  },
};

/** Orders a close and waits for its ack. @returns the id of the command */
async function close(stage: Stage, no: string, amount: string): Promise<number> {
  const id = stage.office.commands.send('position.close', { no, amount });
  stage.office.notify();
  await stage.expect(() => stage.office.commands.acksOf(id).length > 0, 'Acknowledge position.close.');
  return id;
}

/** @throws Mend unless so much of the position is closed, by the commands of operators */
async function expectClosed(stage: Stage, no: string, amount: string): Promise<void> {
  const closes = () => stage.office.events.find('position.closed', { no }).map(({ event }) => event.data);
  const closed = () => Decimal.sum(0, ...closes().map((data) => String(data['amount'])));
  const describe = (): string => `${closed().toFixed()} of ${no} is closed, not ${amount}`;
  await stage.expect(() => closed().gte(amount), `Report position.closed: ${describe()}.`);
  await stage.beQuiet();
  stage.require(closed().eq(amount), `Close once, and only the amount of position.close: ${describe()}.`);
  stage.require(
    closes().every((data) => data['closeType'] === BY_OPERATOR),
    `Report a close that an operator ordered with closeType ${BY_OPERATOR}: ${no} has another one.`,
  );
}
