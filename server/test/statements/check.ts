// Compares what the statements of the product declare with what they returned in a test run.
// tsx check.ts <directory of the records> [--complete]: with --complete, statements without an observation are reported.
import { compareStatements } from './compare.ts';
import { readObservations, readSites } from './files.ts';

const [directory = '', complete] = process.argv.slice(2);
const sites = readSites(directory);
const observations = readObservations(directory);
const differences = compareStatements(sites, observations, complete === '--complete');
for (const difference of differences) process.stdout.write(`${difference}\n`);
const executed = new Set(observations.map(({ id }) => id)).size;
process.stdout.write(`${sites.length} statements, ${executed} executed, ${differences.length} differences\n`);
if (differences.length > 0) process.exitCode = 1;
