import type { Scenario } from './stage.ts';

export const screening: Scenario = {
  name: 'screening',
  summary: 'the screening of an address is requested, and the request is delivered again',
  needs: ['redelivery'],
  skip: (stage) => stage.skipWithout('screening'),
  run: async (stage) => {
    const { commands, events } = stage.office;
    const account = await stage.makeCustomer();
    const { no: withdraw, market, network, address, memo } = await stage.preparePayout(account);
    const no = `S-${withdraw}`;
    const dueAt = Date.now() + stage.timing.patienceMs;
    const subject = { kind: 'address', account, withdraw, market, network, address, memo, amount: '100' } as const;
    const id = commands.send('screen.requested', { no, dueAt, ...subject });
    stage.office.notify();
    await stage.expect(() => commands.acksOf(id).length > 0, 'Acknowledge screen.requested.');
    stage.require(
      commands.acksOf(id)[0]?.state === 'done',
      'Acknowledge screen.requested as done once a provider is asked.',
    );
    const answers = () => events.find('screen.answered', { no });
    await stage.expect(() => answers().length > 0, 'Report screen.answered with the number of the request.');
    const providers = () => new Set(answers().map(({ event }) => event.data['provider'])).size;
    commands.resend(id);
    stage.office.notify();
    await stage.expect(() => commands.acksOf(id).length > 1, 'Acknowledge a request each time it is delivered.');
    await stage.beQuiet();
    stage.require(
      answers().length === providers(),
      'Report one answer of each provider: a request that was delivered again was answered under a new eventId.',
    );
  },
};
