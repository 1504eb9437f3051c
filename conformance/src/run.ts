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
}

export const createBackOffice = (credentials: Credentials): BackOffice =>
  new BackOffice(credentials, new EventLog(), new CommandLog());

export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

/**
 * Plays the scenarios one after the other.
 *
 * @param platform address of the control port of the platform
 * @param names the scenarios to play
 */
export async function* playScenarios(
  office: BackOffice,
  platform: string,
  timing: Timing,
  names: readonly string[] = scenarioNames,
): AsyncGenerator<Result> {
  const stage = new Stage(office, new Control(platform), timing, Date.now().toString(36));
  for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
    const mend = await play(scenario, stage);
    office.network.heal();
    office.clockOffsetMs = 0;
    office.events.reject = () => undefined;
    yield { name: scenario.name, summary: scenario.summary, mend };
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
