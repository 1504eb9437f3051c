import { migrate } from '../src/database/migrate.ts';

// Applies the migrations of a folder in a process that a test can kill.
const [url = '', directory = '', appRole = ''] = process.argv.slice(2);
await migrate(url, { directory, appRole, report: (line) => void process.stdout.write(`${line}\n`) });
