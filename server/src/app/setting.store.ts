import { sql } from 'kysely';
import type { Db } from '../database/connect.ts';

/** The text of a setting; empty if it does not exist. */
export async function findSettingText(db: Db, key: string): Promise<string> {
  const { rows } = await sql<{ str: string }>`select str from config where key = ${key}`.execute(db);
  return rows[0]?.str ?? '';
}

/** Whether a switch setting is on; false if it does not exist. */
export async function isSettingOn(db: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ state: number }>`select state from config where key = ${key}`.execute(db);
  return rows[0]?.state === 1;
}
