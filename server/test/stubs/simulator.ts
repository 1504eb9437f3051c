import { endWithParent } from '../../src/supervisor/parent.ts';

const timer = setInterval(() => undefined, 1000);
const stop = (): void => clearInterval(timer);
process.once('SIGTERM', stop);
endWithParent(stop);
