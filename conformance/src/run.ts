import { BackOffice, type Credentials } from './back-office.ts';
import { CommandLog } from './commands.ts';
import { Control, ControlFailed } from './control.ts';
import { EventLog } from './events.ts';
import { scenarios } from './scenarios.ts';
import { Mend, type Scenario, Stage, type Timing } from './stage.ts';

export interface Result {
  name: string;
  summary: string;
  /** What the platform must mend; undefined if it passed. */
  mend: string | undefined;
  /** Why it was not played; undefined if it was. */
  skipped: string | undefined;
}

/** What the run knows about the platform. */
export interface Target {
  /** Address of the control port. */
  control: string;
  /** Address of the webhook; without it the scenarios of the webhook are skipped. */
  webhook?: string | undefined;
  /** Whether it has screening providers; otherwise their scenario is skipped. */
  screens?: boolean | undefined;
}

export const createBackOffice = (credentials: Credentials): BackOffice =>
  new BackOffice(credentials, new EventLog(), new CommandLog());

export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

/**
 * Plays the scenarios one after the other.
 *
 * @param names the scenarios to play
 */
export async function* playScenarios(
  office: BackOffice,
  { control, webhook, screens }: Target,
  timing: Timing,
  names: readonly string[] = scenarioNames,
): AsyncGenerator<Result> {
  const stage = new Stage(office, new Control(control), { timing, tag: Date.now().toString(36), webhook, screens });
  for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
    const skipped = scenario.skip?.(stage);
    const mend = skipped === undefined ? await play(scenario, stage) : undefined;
    office.network.heal();
    office.clockOffsetMs = 0;
    office.events.reject = () => undefined;
    yield { name: scenario.name, summary: scenario.summary, mend, skipped };
  }
}

async function play(scenario: Scenario, stage: Stage): Promise<string | undefined> {
  try {
    await scenario.run(stage);
    return undefined;
  } catch (error) {
    if (error instanceof Mend) return error.message;
    if (error instanceof ControlFailed) return `Mend the control port: ${error.message}`;
    throw error;
  }
}
