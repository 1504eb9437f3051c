import { EXIT_CONFIGURATION } from '../host/configuration-error.ts';

/** Exit codes of `hengtai`; docs/operations.md explains them. */
export const EXIT = {
  done: 0,
  /** The command was refused or failed; of `verify`: something differs. */
  refused: 1,
  /** Wrong arguments; of `verify`: the check could not be carried out. */
  failed: 2,
  /** The audit chain holds, but nothing outside the database confirms it. */
  notAnchored: 3,
  /** The environment, a file of DATA_DIR or a version must be corrected first. */
  configuration: EXIT_CONFIGURATION,
} as const;

export const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);

export const writeError = (line: string): void => void process.stderr.write(`${line}\n`);
