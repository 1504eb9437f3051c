import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes the duration of each test file in ms, including hooks and imports, as JSON (`{ path: ms }`) to the path in
 * TEST_TIMES. Does nothing if the variable is not set.
 */
export class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['TEST_TIMES'];
    if (!path) return;
    const times = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return [relative(process.cwd(), module.moduleId).replaceAll('\\', '/'), duration + collectDuration];
    });
    writeFileSync(path, JSON.stringify(Object.fromEntries(times)));
  }
}
