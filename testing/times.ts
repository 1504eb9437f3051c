import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes how long each file took, hooks included, to the file that TEST_TIMES names: `{ path: milliseconds }`. */
export class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['TEST_TIMES'];
    if (!path) return;
    const times = modules.map((one) => {
      const { duration, collectDuration } = one.diagnostic();
      return [relative(process.cwd(), one.moduleId).replaceAll('\\', '/'), duration + collectDuration];
    });
    writeFileSync(path, JSON.stringify(Object.fromEntries(times)));
  }
}
