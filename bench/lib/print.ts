import { figuresIn, printTable } from './report.ts';

/** Prints the one table of a whole run: the file of its figures is the argument. */
printTable(figuresIn(process.argv[2] ?? ''));
