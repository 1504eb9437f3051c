import { afterAll } from 'vitest';
import { startRecorder } from './recorder.ts';

const directory = process.env['TEST_STATEMENTS'];
if (directory) {
  const recorder = startRecorder(directory);
  afterAll(() => recorder.flush());
}
