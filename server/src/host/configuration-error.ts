/**
 * A variable, a file or a version of the installation that has to be corrected before the program can run. Commands end with
 * the exit code 78 for it, so that a service manager does not try again.
 */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** Exit code of a program that ends with a ConfigurationError (`EX_CONFIG` of sysexits). */
export const EXIT_CONFIGURATION = 78;
