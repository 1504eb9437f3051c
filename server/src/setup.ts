import { migrate } from './db/migrate.ts';

export interface SetupOptions {
  databaseUrl: string;
  adminAccount: string;
  adminPassword?: string;
  simulator: boolean;
}

/** Brings the database up to date. */
export async function setup(options: SetupOptions): Promise<{ created: boolean; password?: string }> {
  const { applied } = await migrate(options.databaseUrl);
  return { created: applied.length > 0 };
}
