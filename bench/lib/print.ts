import { readFigures, printTable } from './report.ts';

/** Prints the table of a whole run. The argument is the file of its figures. */
printTable(readFigures(process.argv[2] ?? ''));
