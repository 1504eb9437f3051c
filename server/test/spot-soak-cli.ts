import { soak } from './spot-soak.ts';

const say = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

const { faults, ...counts } = await soak({ ms: 10 * 60_000, kills: 20, users: 400, say });
say(JSON.stringify(counts));
for (const fault of faults) say(fault);
say(faults.length === 0 ? 'everything holds' : `${faults.length} things do not hold`);
process.exit(faults.length === 0 ? 0 : 1);
