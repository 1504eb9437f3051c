import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the duration of each test file, including hooks, to the file named by TEST_TIMES: `{ path: milliseconds }`. */
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
