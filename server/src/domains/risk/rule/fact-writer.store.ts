import type { Writer } from '../../../gateway/event-batch.ts';
import { FACT_TABLES, insertFacts } from './fact.store.ts';
import { RULE_TABLES, insertRuleResults } from './rule-result.store.ts';

/**
 * Records the facts of requested withdrawals and what the rules say about them, in the transaction of the request. Imported
 * withdrawals get their facts in the background, and no rule decides about them.
 */
export const withdrawFacts: Writer<{ id: number }> = {
  tables: [...RULE_TABLES, ...FACT_TABLES],
  // The facts are what other kinds of rows tell up to the time of the request.
  isLast: true,
  write: async (db, withdraws) => {
    const ids = withdraws.map(({ id }) => id);
    await insertFacts(db, ids);
    await insertRuleResults(db, ids);
  },
};
