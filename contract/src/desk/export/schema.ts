import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, Ms, EmptyInput, Nullable, IdInput } from '../../wire/schema.ts';

const FileSize = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'bytes' });

const Row = Type.Object({
  id: Id,
  list: Type.String({ description: 'path of the list that is exported' }),
  title: Type.String(),
  operator: Type.String(),
  format: Type.String(),
  zone: Type.String(),
  filters: Type.String({ description: 'filters as text; empty without filters' }),
  state: Int,
  total: Type.Integer({ minimum: 0, description: 'rows of the list; after completion, rows of the file' }),
  done: Type.Integer({ minimum: 0, description: 'rows written so far' }),
  size: Nullable(FileSize),
  reason: Type.String({ description: 'why the export failed' }),
  createdAt: Ms,
  finishedAt: Nullable(Ms),
  expiresAt: Nullable(Ms),
});
export type ExportRow = Static<typeof Row>;

const Made = Type.Object({ job: Row }, { description: 'the answer if the export continues in the background' });
export type ExportMade = Static<typeof Made>;
export { Made as exportMadeSchema };

export const exportSchemas = {
  list: { input: EmptyInput, output: Type.Array(Row) },
  cancel: { input: IdInput, output: Row },
  remove: { input: IdInput, output: Type.Null() },
  download: { input: IdInput, output: Type.Null() },
};
