import { BackOffice, type Credentials } from './back-office.ts';
import { CommandLog } from './commands.ts';
import { Control, ControlFailed } from './control.ts';
import { EventLog } from './events.ts';
import { scenarios } from './scenarios.ts';
import { type Feature, Mend, type Scenario, Stage, type Timing } from './stage.ts';

export interface Result {
  name: string;
  summary: string;
  /** What the platform must mend; undefined if it passed. */
  mend: string | undefined;
  /** Why it was not played or not judged; undefined if it was. */
  skipped: string | undefined;
}

/** What the run knows about the platform. */
export interface Target {
  /** Address of the control port. */
  control: string;
  /** Address of the webhook; without it the scenarios of the webhook are skipped. */
  webhook?: string | undefined;
  /** What it has; scenarios of the rest are skipped. */
  features?: readonly Feature[] | undefined;
}

export const createBackOffice = (credentials: Credentials): BackOffice =>
  new BackOffice(credentials, new EventLog(), new CommandLog());

export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

/**
 * Plays the scenarios one after the other. One that fails after a fault of form is not judged, and `form` is played.
 *
 * @param names the scenarios to play
 */
export async function* playScenarios(
  office: BackOffice,
  { control, webhook, features }: Target,
  timing: Timing,
  names: readonly string[] = scenarioNames,
): AsyncGenerator<Result> {
  const stage = new Stage(office, new Control(control), { timing, tag: Date.now().toString(36), webhook, features });
  const played = new Set(names);
  /** Scenarios that failed, or were skipped because of one. */
  const broken = new Set<string>();
  for (const scenario of scenarios) {
    const { name, summary } = scenario;
    if (!played.has(name)) continue;
    const reason = scenario.needs?.find((need) => broken.has(need));
    const skipped = reason === undefined ? scenario.skip?.(stage) : `Not judged: ${reason} has to pass first.`;
    const outcome: Outcome = skipped === undefined ? await play(scenario, stage) : { skipped };
    office.network.heal();
    office.clockOffsetMs = 0;
    office.events.reject = () => undefined;
    if (outcome.mend !== undefined || reason !== undefined) broken.add(name);
    if (outcome.isMalformed) played.add('form');
    yield { name, summary, mend: outcome.mend, skipped: outcome.skipped };
  }
}

type Outcome = Partial<Pick<Result, 'mend' | 'skipped'>> & { isMalformed?: boolean };

async function play(scenario: Scenario, stage: Stage): Promise<Outcome> {
  stage.begin();
  try {
    try {
      await scenario.run(stage);
    } finally {
      await stage.platform.release();
    }
    return {};
  } catch (error) {
    if (error instanceof ControlFailed) return { mend: `Mend the control port: ${error.message}` };
    if (!(error instanceof Mend)) throw error;
    const fault = stage.findFormFault();
    return fault === undefined
      ? { mend: error.message }
      : { skipped: `Not judged, because the form is wrong: ${fault}.`, isMalformed: true };
  }
}
