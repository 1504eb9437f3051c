import type { Installation, Undo } from './installation.ts';

export interface Drill {
  alerts: readonly string[];
  /** What is done, for the table of results. */
  cause: string;
  /** Causes it, and returns how to end it. */
  start: (at: Installation) => Promise<Undo>;
}

const MINUTE = 60_000;
const never: Undo = async () => undefined;
const both =
  (...undo: Undo[]): Undo =>
  async () => {
    for (const one of undo) await one();
  };
const minutesAgo = (minutes: number): number => Date.now() - minutes * MINUTE;

/** A statement that inserts a command in a state and of an age in minutes. */
const insertCommand = (state: number, minutes: number): string =>
  `insert into command (type, ref_type, ref_id, data, state, created_at, recorded_at)
   values ('balance.changed', 'user', 1, '{}', ${state}, ${minutesAgo(minutes)}, ${minutesAgo(minutes)})`;

/** In this order: a flood of fast requests would hide errors and slow ones from the rates of five minutes. */
export const drills: readonly Drill[] = [
  {
    alerts: ['HengTaiReplicaUnused'],
    cause: 'DATABASE_READ_URL names a database that is no replica',
    start: async () => never,
  },
  {
    alerts: ['HengTaiNotReady'],
    cause: 'a migration differs from that of the release',
    start: async (at) => {
      await at.run(`update schema_migration set checksum = 'x' || checksum where version = 1`);
      return () => at.run(`update schema_migration set checksum = substr(checksum, 2) where version = 1`);
    },
  },
  {
    alerts: ['HengTaiSlow'],
    cause: 'a table is locked for 0.8 s, again and again',
    start: async (at) => {
      let release = never;
      const lock = async (): Promise<void> =>
        void (release = await at.hold('lock table users in access exclusive mode'));
      return both(await at.load('user/list', 4), await at.pulse(lock, 800, () => release(), 50));
    },
  },
  {
    alerts: ['HengTaiTableLocked', 'HengTaiErrors'],
    cause: 'a table stays locked',
    start: async (at) =>
      both(await at.hold('lock table users in access exclusive mode'), await at.load('user/list', 4)),
  },
  {
    alerts: ['HengTaiCommandsNotFetched'],
    cause: 'the platform fetches no commands',
    start: async (at) => {
      await at.run(insertCommand(0, 60));
      return never;
    },
  },
  {
    alerts: ['HengTaiCommandsUnknown'],
    cause: 'a command has an unknown outcome',
    start: async (at) => {
      await at.run(insertCommand(4, 1));
      return never;
    },
  },
  {
    alerts: ['HengTaiAlarmsOpen', 'HengTaiQueueLate'],
    cause: 'an alarm has been open for two hours',
    start: async (at) => {
      await at.run(
        `insert into alarm (kind, ref_type, ref_id, created_at) values ('holds.differ', 'user', 1, ${minutesAgo(120)})`,
      );
      return never;
    },
  },
  {
    alerts: ['HengTaiEventsRejected'],
    cause: 'the platform sends an event of an unknown type',
    start: async (at) => {
      await at.send('drill', {});
      return never;
    },
  },
  {
    alerts: ['HengTaiSealerBehind', 'HengTaiNotificationsBehind'],
    cause: 'the leases of two jobs are held by another session',
    start: async (at) => {
      await at.run(`insert into job_lease (name, holder, until) values ('number-facts', '', 0) on conflict do nothing`);
      const release = await at.hold(`select from job_lease where name in ('seal', 'number-facts') for update`);
      await at.logIn();
      await at.run(`insert into notice (type, noun, ref_type, ref_id, created_at, recorded_at)
        values ('drill', 'user', 'user', 1, ${Date.now()}, ${Date.now()})`);
      return release;
    },
  },
  {
    alerts: ['HengTaiJobStopped', 'HengTaiFiguresMissing'],
    cause: 'the table of pending audit rows is locked',
    start: (at) => at.hold('lock table audit_pending in access exclusive mode'),
  },
  {
    alerts: ['HengTaiEventLoopSlow'],
    cause: 'the process gets no CPU for 0.6 s, again and again',
    start: (at) => {
      const signal = (name: NodeJS.Signals) => async (): Promise<void> => void process.kill(at.server.pid, name);
      return at.pulse(signal('SIGSTOP'), 600, signal('SIGCONT'), 150);
    },
  },
  {
    alerts: ['HengTaiPoolFull'],
    cause: '60 requests at a time',
    start: (at) => at.load('audit/list', 60),
  },
  {
    alerts: ['HengTaiDown'],
    cause: 'the server ends',
    start: async (at) => {
      await at.server.stop();
      return never;
    },
  },
];
