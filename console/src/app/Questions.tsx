import { useEffect, useState } from 'react';
import { useTabs } from '../navigation/tabs.ts';
import { onDemand } from '../ui/on-demand.tsx';
import { type Question, setAsker } from '../ui/question.ts';

const load = async () => (await import('../ui/QuestionDialog.tsx')).QuestionDialog;
const QuestionDialog = onDemand(load);

/** The place of questions that `ask` puts. */
export function Questions() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => setAsker(setQuestion), []);
  const hasUnsaved = useTabs(({ guarded }) => Object.values(guarded).some((forms) => forms.length > 0));
  // Loaded once there is something to lose, so that the question can be asked without a network.
  useEffect(() => {
    if (hasUnsaved) load().catch(() => undefined);
  }, [hasUnsaved]);
  return question && <QuestionDialog {...question} onClose={() => setQuestion(undefined)} />;
}
