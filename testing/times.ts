import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the times of each test file, including hooks, to the file named by TEST_TIMES: `{ path: { wall, cpu } }`, in seconds. */
export class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['TEST_TIMES'];
    if (!path) return;
    const times = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      const name = relative(process.cwd(), module.moduleId).replaceAll('\\', '/');
      return [name, { wall: (duration + collectDuration) / 1000, cpu: module.meta().cpu }];
    });
    writeFileSync(path, JSON.stringify(Object.fromEntries(times)));
  }
}
